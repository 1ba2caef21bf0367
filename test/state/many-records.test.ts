import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { all, build, send } from '../helper.js'

const MANY = '10000'
/** Milliseconds of the processor that a call may take. */
const MOST = 20

t.test('with ten thousand records in each collection, a call of every operation takes at most 20 ms', async (t) => {
  const cwd = folder(t)
  const counts = ['credits', 'attachments', 'members', 'sub-members', 'documents'].flatMap((one) => [`--${one}`, MANY])
  t.match(await run(t, ['seed', '--out', 'bulk', ...counts], { cwd }), { code: 0 }, 'they are generated')
  const server = await build(t, { fixtures: join(cwd, 'bulk') })
  for (const contract of all) {
    let least = Number.POSITIVE_INFINITY
    for (let nth = 0; nth < 10; nth++) {
      // Each call finds another e-mail free, and the name changed.
      const invited = { 'data[0][email]': `invited.${nth}@example.test` }
      const form = contract.id === 'addOrganizationMember' ? { form: invited } : {}
      const before = process.cpuUsage()
      const { statusCode } = await send(server, contract, form)
      const { user, system } = process.cpuUsage(before)
      t.equal(statusCode, 200, contract.id)
      least = Math.min(least, (user + system) / 1_000)
    }
    t.ok(least <= MOST, `${contract.id} takes ${least} ms`)
  }
})
