import t from 'tap'
import { type Contract, changesRecord } from '../../schemas/contract.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { all, lastExchange, send } from '../helper.js'
import { listening } from '../wire.js'
import { type Field, meantBy, readLine, type Slip, slipsOf } from './slips.js'

/** What the request sends, with a slip in one field. */
function withSlip(contract: Contract, { part, name }: Field, { sent, elsewhere }: Slip) {
  const { changes } = meantBy(contract)
  const { [name]: _, ...others } = (changes[part] ?? {}) as Record<string, string>
  const other = part === 'query' ? 'form' : 'query'
  return { ...changes, [part]: { ...others, [name]: undefined, ...sent }, [other]: { ...changes[other], ...elsewhere } }
}

t.test('a corrected line does what the client meant, whatever the slip', async (t) => {
  const { server } = await listening(t)
  let nth = 0
  for (const contract of all) {
    const { fields, changes } = meantBy(contract)
    const meant = { query: changes.query ?? {}, form: changes.form ?? {} }
    for (const field of fields) {
      for (const slip of slipsOf(contract, field)) {
        const label = `${contract.id}, ${field.part} ${field.name}, ${slip.name}`
        const sandbox = `slip-${nth++}`
        await send(server, contract, { ...withSlip(contract, field, slip), sandbox })
        const [violation] = entryOf(lastExchange(server, sandbox)).violations
        if (violation === undefined) continue
        const { corrected } = violation
        if (corrected === undefined) {
          t.notOk(slip.isKnown, `${label}: where the value is known, there is a line`)
          continue
        }
        const line = readLine(corrected)
        const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => changes.params?.[name] ?? '')
        const called = [line.method, line.url.pathname]
        t.same(called, [contract.method, `/~${sandbox}${path}`], `${label}: it calls the same`)
        for (const { part, name, value } of fields) {
          const isSlipped = name === field.name && part === field.part
          if (!isSlipped || slip.isKnown)
            t.equal(line[part][name], value, `${label}: ${name} is the client's`, { corrected })
          else if (changesRecord(contract) && name !== 'user_type')
            t.equal(line[part][name], undefined, `${label}: nothing of a sample's changes a record`)
        }
        for (const part of ['query', 'form'] as const)
          for (const name of Object.keys(line[part]))
            t.ok(name in meant[part] || name === 'file', `${label}: nothing else is sent, such as ${name}`)
      }
    }
  }
  t.ok(nth > 350, 'there are many slips', { slips: nth })
})
