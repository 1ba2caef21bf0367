import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, listCreditHistories, uploadSignature } from '../../schemas/index.js'
import { requestOf, send } from '../helper.js'
import { listening } from '../wire.js'
import { CRLF } from './forms.js'
import { head } from './spoken.js'

const ROOT = '2026-01-15T09:30:00.000Z'
const SANDBOX = '2031-02-03T04:05:06.000Z'

const call = (line: string, ...fields: readonly string[]) => head([`${line} HTTP/1.1`, 'Host: localhost', ...fields])
const get = (path: string, ...fields: readonly string[]) => call(`GET ${path}`, ...fields)
const pathOf = (contract: Contract) => requestOf(contract).url
const PREFLIGHT = ['Origin: http://localhost:1', 'Access-Control-Request-Method: POST']

const FOREIGN = 'Origin: http://evil.example'

/** Every kind of answer that a world gives; `prefix` is the world's. */
const answers = (prefix: string, invitation: string): Readonly<Record<string, string>> => ({
  'an operation': get(prefix + pathOf(listCreditHistories), 'Authorization: Bearer token-admin'),
  'a 401': get(prefix + pathOf(listCreditHistories)),
  'a 404': get(`${prefix}/nowhere`),
  'a preflight of an operation': call(`OPTIONS ${prefix}${pathOf(uploadSignature)}`, ...PREFLIGHT),
  'a URL that cannot be decoded': get(`${prefix}/%zz`),
  'a page': get(prefix + invitation),
  'a page that is missing': get(`${prefix}/sign/unknown`),
  'a button': call(`POST ${prefix}${invitation}/decline`, 'Content-Length: 0'),
  'a button of a foreign page': call(`POST ${prefix}${invitation}/decline`, 'Content-Length: 0', FOREIGN),
  'the way to the docs': get(`${prefix}/`),
  admin: get(`${prefix}/__admin/health`),
  'admin, HEAD': call(`HEAD ${prefix}/__admin/clock`),
  'admin, unknown': get(`${prefix}/__admin/nonsense`),
  'admin, refused': get(`${prefix}/__admin/health`, FOREIGN),
  'a preflight of admin': call(`OPTIONS ${prefix}/__admin/clock`, ...PREFLIGHT),
  'the events': call(`HEAD ${prefix}/__admin/events`),
})

/** Where no world can be known. */
const ofNoWorld: Readonly<Record<string, string>> = {
  'no sandbox name': get(`/~not%20a%20name${pathOf(listCreditHistories)}`),
  'a sandbox that does not exist': call(`OPTIONS /~new/__admin/clock`, ...PREFLIGHT),
  'what is not HTTP': `nonsense${CRLF}${CRLF}`,
  'a head that is too long': get('/', `X-Long: ${'x'.repeat(100_000)}`),
  'a broken body of admin': `${call('POST /__admin/reset', 'Transfer-Encoding: chunked')}nonsense${CRLF}`,
}

t.test('every answer of a frozen world shows its time', async (t) => {
  const { server, exchange } = await listening(t, { clock: ROOT })
  server.worlds.sandbox('own')?.clock.set(Date.parse(SANDBOX), true)
  for (const [sandbox, time] of [
    [undefined, ROOT],
    ['own', SANDBOX],
  ] as const) {
    await send(server, addOrganizationMember, { sandbox })
    const world = sandbox === undefined ? server.worlds.root : server.worlds.sandbox(sandbox)
    const invitation = `/invitations/${world?.state.export().invitations?.[0]?.id}`
    const all = { ...answers(world?.prefix ?? '', invitation), ...(sandbox === undefined && ofNoWorld) }
    for (const [what, sent] of Object.entries(all)) {
      const { headers } = await exchange(sent)
      t.equal(headers.date, new Date(time).toUTCString(), `${what}, ${sandbox ?? 'the root'}`)
    }
  }
  t.equal(server.worlds.has('new'), false, 'no sandbox is made for the sake of a date')
})
