import t, { type Test } from 'tap'
import { statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import {
  addOrganizationMember,
  listCreditHistories,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import { build, fileOf, send } from '../helper.js'

/** Calls of a world's admin. */
async function served(t: Test, options: Parameters<typeof build>[1] = {}) {
  const server = await build(t, options)
  const admin = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object, sandbox = '') =>
    server.app.inject({ method, url: `${sandbox}/__admin/${path}`, ...(payload && { payload }) })
  return { server, admin }
}

/** The exchanges of the root, the newest first. */
async function idsOf(admin: Awaited<ReturnType<typeof served>>['admin'], search = ''): Promise<string[]> {
  const { requests } = (await admin('GET', `requests?search=${encodeURIComponent(search)}`)).json()
  return requests.map((one: { id: string }) => one.id)
}

t.test('a search finds words wherever they were sent or answered', async (t) => {
  const { server, admin } = await served(t)
  await send(server, addOrganizationMember, { form: { 'data[0][first_name]': 'Zoë "Quoted" Ash' } })
  await send(server, listCreditHistories)
  await send(server, uploadSignature, { form: { file: fileOf(new Uint8Array(9), 'seal of office.png') } })
  for (const [words, ids] of [
    ['zoë "quoted" ASH', ['x1']],
    ['seal office', ['x3']],
    ['listCreditHistories:200', ['x2']],
    ['purchase', ['x2']],
    ['token-admin', []],
    ['seal zoë', []],
    ['', ['x3', 'x2', 'x1']],
  ] as const)
    t.strictSame(await idsOf(admin, words), ids, words)
})

t.test('an answer is given from now on, whatever the operation is asked', async (t) => {
  const { server, admin } = await served(t)
  const again = async (id: string) => {
    const rule = await admin('GET', `requests/${id}?format=rule`)
    if (rule.statusCode === 200) await admin('PUT', 'scenarios/again', { rules: [rule.json()], active: true })
    return rule.statusCode
  }
  for (const contract of contracts) {
    for (const status of statusesOf(contract)) {
      await admin('POST', 'reset')
      const answer = await send(server, contract, { headers: { prefer: `code=${status}` } })
      await again('x1')
      const other = await send(server, contract, { query: { page: '2' } })
      t.strictSame([other.statusCode, other.json()], [answer.statusCode, answer.json()], `${contract.id}:${status}`)
    }
  }
  await admin('POST', 'reset')
  await server.app.inject('/nowhere')
  t.equal(await again('x1'), 409, 'what no operation answered cannot be')
})

t.test('a corrected request is had as curl and as fetch, each with its token', async (t) => {
  const { server, admin } = await served(t)
  await send(server, updateSubOrganizationMember, { query: { user_type: undefined } })
  await send(server, listCreditHistories)
  const curl = await admin('GET', 'requests/x1?format=corrected')
  t.match(curl.body, /^TOKEN='?token-admin'?\ncurl -X PUT \S+user_type=[\s\S]*"\$TOKEN"/, 'a line sets the token')
  const js = await admin('GET', 'requests/x1?format=corrected-fetch')
  t.match(js.body, /^const token = 'token-admin'\n[\s\S]*await fetch\('[^']*user_type=/, 'as code')
  t.equal((await admin('GET', 'requests/x2?format=corrected')).statusCode, 409, 'what is right has none')
})

t.test('a mail is seen as it goes over the wire, and removed alone', async (t) => {
  const { server, admin } = await served(t)
  await send(server, addOrganizationMember)
  const [{ id, to }] = (await admin('GET', 'outbox')).json().messages
  const source = await admin('GET', `outbox/${id}/source`)
  for (const header of [`Message-ID: <${id}@countersign.example>`, `To: ${to}`]) t.match(source.body, header)
  t.equal((await admin('GET', `outbox/${id}/source`)).body, source.body, 'the same each time')
  for (const status of [200, 404]) t.equal((await admin('DELETE', `outbox/${id}`)).statusCode, status)
})

t.test('worlds tell what is on, and when they were last called', async (t) => {
  const { server, admin } = await served(t)
  await send(server, verifyDocument, { sandbox: 'w-1' })
  await admin('PUT', 'scenarios/verifyDocument:404', { active: true }, '/~w-1')
  const { root, sandboxes } = (await admin('GET', 'sandboxes')).json()
  t.match(root, { requests: 0, lastUsed: null, active: [] })
  t.match(sandboxes, [{ name: 'w-1', path: '/~w-1', requests: 1, active: ['verifyDocument:404'] }])
  t.ok(Math.abs(Date.parse(sandboxes[0].lastUsed) - Date.now()) < 60_000, 'by the machine’s clock')
})

t.test('one scenario starts over, the others go on', async (t) => {
  const { server, admin } = await served(t)
  const rules = [{ on: 'verifyDocument', times: 1, answer: { status: 404 } }]
  for (const name of ['one', 'two']) await admin('PUT', `scenarios/${name}`, { rules, active: true })
  for (let nth = 0; nth < 2; nth++) await send(server, verifyDocument)
  const are = async (one: number, two: number, label: string) => {
    const [first, second] = (await admin('GET', 'scenarios')).json().scenarios
    t.match([first.rules, second.rules], [[{ answered: one }], [{ answered: two }]], label)
  }
  await are(1, 1, 'both are spent')
  t.match((await admin('POST', 'scenarios/one/reset')).json(), { rules: [{ answered: 0 }] })
  await are(0, 1, 'one is not')
  t.equal((await admin('POST', 'scenarios/three/reset')).statusCode, 404)
})

t.test('a state that is no state is refused with the place of the mistake, and the old one stays', async (t) => {
  const { server, admin } = await served(t)
  const headers = { 'content-type': 'application/yaml' }
  const put = async (payload: string) =>
    (await server.app.inject({ method: 'PUT', url: '/__admin/state', payload, headers })).json()
  const before = (await admin('GET', 'state')).json()
  const place = { line: 3, column: 20 }
  for (const [payload, wanted] of [
    ['version: 1\norganizations:\n  - { id: 1, uuid: x, name: One }\n', { path: 'organizations[0].uuid', ...place }],
    ['{\n  "version": 1,\n  "organizations": }\n', place],
    ['usrs: []', { message: /'usrs'.*Did you mean 'users'/ }],
    ['[]', { message: /must be an object/ }],
  ] as const)
    t.match(await put(payload), { status: 400, complaints: [wanted] }, payload)
  t.strictSame((await admin('GET', 'state')).json(), before, 'nothing changed')
  t.match(await put('extends: default\n'), { version: 1 }, 'YAML is taken')
})
