import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import { folder } from '../binary.js'
import { adminOf, build, fileOf, multipart, requestOf, type Server, send } from '../helper.js'

const FLAKY = `
rules:
  - on: listCreditHistories
    chance: 0.5
    answer: { status: 401 }
`

t.test('the same calls give the same bytes, in two runs and in 64 sandboxes at once', async (t) => {
  const settings = { seed: '7', clock: '2026-01-15T09:30:00Z', scenarios: folder(t, { 'flaky.yaml': FLAKY }) }
  const first = await build(t, settings)
  const second = await build(t, settings)
  const alone = await story(first)
  t.equal(await story(second), alone, 'the same in another run')
  const names = Array.from({ length: 64 }, (_, at) => `worker-${at}`)
  const together = await Promise.all(names.map((name) => story(second, name)))
  t.strictSame(together, Array(64).fill(alone), 'the same in 64 sandboxes at once')
  const other = await build(t, { ...settings, seed: '8' })
  t.not(await story(other), alone, 'another seed gives others')
})

t.test('a sandbox sees nothing of the root or of another sandbox', async (t) => {
  const server = await build(t)
  const { app } = server
  await send(server, api.updateSubOrganizationMember, { sandbox: 'a', form: { first_name: 'Changed' } })
  await send(server, api.addOrganizationMember, { sandbox: 'a' })
  await app.inject({ method: 'PUT', url: '/~a/__admin/clock', payload: { now: '2030-01-01T00:00:00Z', frozen: true } })
  await app.inject({ method: 'PUT', url: '/~a/__admin/scenarios/verifyDocument:404', payload: { active: true } })
  const seen = async (sandbox?: string) => {
    const get = async (path: string) =>
      (await app.inject(`${sandbox === undefined ? '' : `/~${sandbox}`}/__admin/${path}`)).json()
    return {
      name: (await get('state')).sub_organization_members[0].first_name,
      mails: (await get('outbox')).messages.length,
      requests: (await get('requests')).meta.total,
      frozen: (await get('clock')).frozen,
      verified: (await send(server, api.verifyDocument, { sandbox })).statusCode,
    }
  }
  const untouched = { name: 'Zoë', mails: 0, requests: 0, frozen: false, verified: 200 }
  t.strictSame(await seen('a'), { name: 'Changed', mails: 1, requests: 2, frozen: true, verified: 404 }, 'its own')
  t.strictSame(await seen(), untouched, 'the root has none of it')
  t.strictSame(await seen('b'), untouched, 'nor has another sandbox')
})

t.test('reset begins again', async (t) => {
  const server = await build(t, { clock: '2026-01-15T09:30:00Z' })
  const { app } = server
  const before = await adminOf(server).state()
  await send(server, api.addOrganizationMember)
  await adminOf(server).activate('verifyDocument:404')
  await app.inject({ method: 'PUT', url: '/__admin/clock', payload: { advance: 1000 } })
  t.notSame(await adminOf(server).state(), before, 'the state has changed')
  t.match(await app.inject({ method: 'POST', url: '/__admin/reset' }), { statusCode: 200 })
  const { state, mails, active, requests } = adminOf(server)
  t.strictSame(await state(), before, 'the state is as it was')
  const lists = [await mails(), await active(), await requests()]
  t.strictSame(lists, [[], [], []], 'mails, active scenarios and journal are empty')
  t.match((await app.inject('/__admin/clock')).json(), { now: '2026-01-15T09:30:00.000Z' }, 'the clock is set back')
})

t.test('sandboxes are listed, deleted and bounded', async (t) => {
  const server = await build(t)
  const { app } = server
  for (let at = 0; at <= 1_000; at++) await app.inject(`/~s${at}/__admin/health`)
  const names = Array.from({ length: 1_000 }, (_, at) => `s${at + 1}`)
  const kept = await adminOf(server).sandboxes()
  t.same(kept.sort(), names.sort(), 'a thousand are kept: the one that was idle longest went')
  for (const status of [200, 404])
    t.equal((await app.inject({ method: 'DELETE', url: '/__admin/sandboxes/s5' })).statusCode, status, 'deleted once')
})

t.test('the clock is got, set, moved on, frozen and let run', async (t) => {
  const { app } = await build(t)
  const put = async (payload: object) => (await app.inject({ method: 'PUT', url: '/__admin/clock', payload })).json()
  const noon = { now: '2026-03-01T12:00:00.000Z', frozen: true }
  t.strictSame(await put({ now: '2026-03-01T12:00:00Z', frozen: true }), noon, 'it is set and frozen')
  t.strictSame(await put({ advance: 60_000 }), { now: '2026-03-01T12:01:00.000Z', frozen: true }, 'it is moved on')
  const running = await put({ frozen: false })
  t.equal(running.frozen, false, 'it runs again')
  t.ok(Date.parse(running.now) - Date.parse('2026-03-01T12:01:00Z') < 5_000, 'it runs from where it stood')
  t.equal((await put({ now: '9999-12-31T23:59:59.999Z', frozen: false })).frozen, false, 'the latest time can run')
  await sleep(5)
  const { now } = (await app.inject('/__admin/clock')).json()
  t.equal(now, '9999-12-31T23:59:59.999Z', 'and stops there: a later one has no ISO form of four digits')
  t.match(await put({ now: 'tomorrow' }), { status: 400, detail: /ISO 8601.*'tomorrow'/ }, 'what is no time is refused')
})

async function served(t: Test, options: Parameters<typeof build>[1] = {}) {
  const server = await build(t, options)
  const admin = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, payload?: object, sandbox = '') =>
    server.app.inject({ method, url: `${sandbox}/__admin/${path}`, ...(payload && { payload }) })
  return { server, admin }
}

async function idsOf(admin: Awaited<ReturnType<typeof served>>['admin'], search = ''): Promise<string[]> {
  const { requests } = (await admin('GET', `requests?search=${encodeURIComponent(search)}`)).json()
  return requests.map((one: { id: string }) => one.id)
}

t.test('a search finds words wherever they were sent or answered', async (t) => {
  const { server, admin } = await served(t)
  await send(server, api.addOrganizationMember, { form: { 'data[0][first_name]': 'Zoë "Quoted" Ash' } })
  await send(server, api.listCreditHistories)
  await send(server, api.uploadSignature, { form: { file: fileOf(new Uint8Array(9), 'seal of office.png') } })
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

t.test('an answer is repeated for every call of its operation', async (t) => {
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
  const body = { page: 1, per_page: 1, total: 0, histories: [], note: 'x'.repeat(20_000) }
  const long = { on: 'listCreditHistories', offContract: true, answer: { body } }
  await admin('PUT', 'scenarios/long', { rules: [long], active: true })
  await send(server, api.listCreditHistories)
  t.equal(await again('x2'), 409, 'nor can an answer that the journal has not kept whole')
})

for (const token of ['token-admin', 'token-other'])
  t.test(`the example call of each operation succeeds where ${token} is of the first user`, async (t) => {
    const { server, admin } = await served(t)
    const { users, ...others } = await adminOf(server).state()
    const first = users.filter((one) => one.token === token)
    await admin('PUT', 'state', { ...others, users: [...first, ...users.filter((one) => one.token !== token)] })
    for (const { id } of contracts) {
      const example = (await admin('GET', `examples/${id}`)).json()
      t.equal(example.token, token, `${id}: the token`)
      const form = multipart(
        example.form.map(({ name, value, file }: { name: string; value?: string; file?: { content: string } }) => [
          name,
          value ?? { ...file, content: Buffer.from(file?.content ?? '', 'base64') },
        ]),
      )
      const headers = { authorization: `Bearer ${token}`, ...(example.form.length > 0 && form.headers) }
      const call = {
        method: example.method,
        url: example.path,
        headers,
        ...(example.form.length > 0 && { payload: form.body }),
      }
      const { statusCode, body } = await server.app.inject(call)
      t.equal(statusCode, 200, `${id}: it succeeds`, { body, url: call.url })
    }
  })

t.test('a corrected request is had as curl and as fetch, each with its token', async (t) => {
  const { server, admin } = await served(t)
  await send(server, api.updateSubOrganizationMember, { query: { user_type: undefined } })
  await send(server, api.listCreditHistories)
  const curl = await admin('GET', 'requests/x1?format=corrected')
  t.match(curl.body, /^TOKEN='?token-admin'?\ncurl -X PUT \S+user_type=[\s\S]*"\$TOKEN"/, 'a line sets the token')
  const js = await admin('GET', 'requests/x1?format=corrected-fetch')
  t.match(js.body, /^const token = 'token-admin'\n[\s\S]*await fetch\('[^']*user_type=/, 'as code')
  t.equal((await admin('GET', 'requests/x2?format=corrected')).statusCode, 409, 'what is right has none')
})

t.test('a mail is seen as it goes over the wire, and removed alone', async (t) => {
  const { server, admin } = await served(t)
  await send(server, api.addOrganizationMember)
  const [{ id, to }] = (await admin('GET', 'outbox')).json().messages
  const source = await admin('GET', `outbox/${id}/source`)
  for (const header of [`Message-ID: <${id}@countersign.example>`, `To: ${to}`]) t.match(source.body, header)
  t.equal((await admin('GET', `outbox/${id}/source`)).body, source.body, 'the same each time')
  for (const status of [200, 404]) t.equal((await admin('DELETE', `outbox/${id}`)).statusCode, status)
})

t.test('one scenario starts over, the others go on', async (t) => {
  const { server, admin } = await served(t)
  const rules = [{ on: 'verifyDocument', times: 1, answer: { status: 404 } }]
  for (const name of ['one', 'two']) await admin('PUT', `scenarios/${name}`, { rules, active: true })
  for (let nth = 0; nth < 2; nth++) await send(server, api.verifyDocument)
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
    ['[]', { message: /must be an object with .*, not \[\]/ }],
  ] as const)
    t.match(await put(payload), { status: 400, complaints: [wanted] }, payload)
  t.strictSame((await admin('GET', 'state')).json(), before, 'nothing changed')
  t.match(await put('extends: default\n'), { version: 1 }, 'YAML is taken')
})

/** Reads, writes, conflicts and draws of chance in one sandbox, as the digest of all answers and mails. */
async function story(server: Server, sandbox?: string): Promise<string> {
  const { activate, mails, state } = adminOf(server, sandbox)
  await activate('flaky')
  const answers: unknown[] = []
  const calls = [
    requestOf(api.uploadSignature, { sandbox }),
    requestOf(api.uploadSignature, { sandbox }),
    requestOf(api.updateSubOrganizationMember, { sandbox, form: { role: 'Admin' } }),
    requestOf(api.addOrganizationMember, { sandbox, form: { 'data[0][email]': 'story@example.test' } }),
    requestOf(api.addOrganizationMember, { sandbox, form: { 'data[0][email]': 'story@example.test' } }),
    requestOf(api.createSigningLink, { sandbox }),
    requestOf(api.verifyDocument, { sandbox }),
    ...Array.from({ length: 8 }, (_, at) => requestOf(api.listCreditHistories, { sandbox, query: { page: at + 1 } })),
  ]
  for (const call of calls) {
    const { statusCode, headers, payload } = await server.app.inject(call)
    answers.push([statusCode, headers['x-mock-exchange'], headers.date, payload])
  }
  answers.push(await mails(), await state())
  return createHash('sha256')
    .update(JSON.stringify(answers).replaceAll(`/~${sandbox}`, ''))
    .digest('hex')
}
