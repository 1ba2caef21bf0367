import t from 'tap'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { addOrganizationMember } from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { build, type Changes, fileOf, lastExchange, send } from '../helper.js'
import { inProportion } from '../proportion.js'

/** Texts that a pattern with two overlapping repetitions would try to divide in every way. */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'letters before a control character': (length) => `${'a'.repeat(length)}\u0001`,
  'a pasted text with the end of its line': (length) => `${'a '.repeat(length / 2)}\r\n`,
  'blanks alone': (length) => ' '.repeat(length),
  'parts of an e-mail address': (length) => `${'a@b.'.repeat(length / 4)} `,
  'digits before a letter': (length) => `${'1'.repeat(length)}x`,
  'hyphens and digits': (length) => '0-'.repeat(length / 2),
  'control characters': (length) => '\u0001'.repeat(length),
}

const LONGEST_FIELD = 250_000
/** What Node takes of a request's head. */
const LONGEST_HEAD = 16_000

t.test('a name may be as long as a body, whatever its letters', async (t) => {
  const server = await build(t)
  for (const letters of ['a', 'é', '俊']) {
    const form = {
      'data[0][email]': `${letters.length}@example.test`,
      'data[0][last_name]': letters.repeat(12_000_000),
    }
    const { statusCode } = await send(server, addOrganizationMember, { form, sandbox: 'long' })
    t.equal(statusCode, 200, `twelve million times ${letters}`)
    server.worlds.delete('long')
  }
  const long = { 'data[0][last_name]': `${'俊'.repeat(12_000_000)}\u0001` }
  const refused = await send(server, addOrganizationMember, { form: long })
  t.equal(refused.statusCode, 400, 'but for a control character')
  t.match(refused.json().error.message, /without control characters/, 'of which the message tells')
})

/** Sends a request, and looks at what the journal says of it: the corrected request is made then. */
async function asked(server: Server, contract: Contract, changes: Changes): Promise<void> {
  await send(server, contract, changes)
  entryOf(lastExchange(server))
}

for (const contract of contracts as readonly Contract[]) {
  t.test(`${contract.id} reads a long text in time in proportion to its length`, async (t) => {
    const server = await build(t)
    for (const [label, text] of Object.entries(TEXTS)) {
      for (const [field, schema] of Object.entries(contract.form?.properties ?? {})) {
        await inProportion(t, `${label} in the form field ${field}`, LONGEST_FIELD, (length) => {
          const value = isFile(schema) ? fileOf('x', text(length), text(length)) : text(length)
          return asked(server, contract, { form: { [field]: value } })
        })
      }
      for (const name of Object.keys(contract.query.properties))
        await inProportion(t, `${label} in the query parameter ${name}`, LONGEST_HEAD, (length) =>
          asked(server, contract, { query: { [name]: text(length) } }),
        )
      await inProportion(t, `${label} as the name of a query parameter`, LONGEST_HEAD, (length) =>
        asked(server, contract, { query: { [text(length)]: 'x' } }),
      )
      if (/^[\x20-\x7e]+$/.test(text(10)))
        await inProportion(t, `${label} as the token`, LONGEST_HEAD, (length) =>
          asked(server, contract, { headers: { authorization: `Bearer ${text(length)}` } }),
        )
      for (const name of Object.keys(contract.params.properties))
        await inProportion(t, `${label} in the path variable ${name}`, LONGEST_HEAD, (length) =>
          asked(server, contract, { params: { [name]: text(length) } }),
        )
    }
  })
}
