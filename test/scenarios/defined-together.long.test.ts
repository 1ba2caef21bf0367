import t from 'tap'
import type { Server } from '../../src/server/create-server.js'
import { build } from '../helper.js'

const CONFLICT = { rules: [{ on: 'addOrganizationMember', answer: { status: 409 } }] }

const put = ({ app }: Server, name: string, payload: object, world = '') =>
  app.inject({ method: 'PUT', url: `${world}/__admin/scenarios/${name}`, payload })

t.test('there is a bound for what worlds define together', async (t) => {
  const server = await build(t, { bodyLimit: 100_000_000 })
  const large = { rules: [{ on: 'verifyDocument', offContract: true, answer: { body: 'x'.repeat(30_000_000) } }] }
  for (const world of ['', '/~a']) t.equal((await put(server, 'large', large, world)).statusCode, 200)
  const refused = await put(server, 'more', large)
  t.match([refused.statusCode, refused.json().detail], [400, /would take about 60\.0 MB, but only 14\.2 MB are left/])
  t.equal((await put(server, 'small', CONFLICT)).statusCode, 200, 'a small one has room')
  server.worlds.delete('a')
  t.equal((await put(server, 'more', large)).statusCode, 200, 'what is deleted makes room')
  const many = { rules: Array.from({ length: 10_001 }, () => CONFLICT.rules[0]) }
  t.match((await put(server, 'many', many)).json().detail, /more than 10000 rules/)
})
