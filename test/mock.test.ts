import t from 'tap'
import { startMockServer } from '../src/index.js'

const HISTORIES = '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'

t.test('a server in process, and its handle', async (t) => {
  const mock = await startMockServer({ port: 0, clock: '2026-01-15T09:30:00Z' })
  const headers = { authorization: `Bearer ${mock.token}` }
  const worker = mock.sandbox('worker-3')
  t.equal(worker.url, `${mock.url}/~worker-3`)
  const seen: string[] = []
  const stop = worker.on('exchange', ({ outcome }) => void seen.push(String(outcome)))
  worker.scenarios.activate('listCreditHistories:401')
  t.equal((await fetch(worker.url + HISTORIES, { headers })).status, 401)
  t.equal((await fetch(mock.url + HISTORIES, { headers })).status, 200)
  worker.scenarios.deactivate('listCreditHistories:401')
  t.strictSame(worker.scenarios.active(), [])
  const form = new FormData()
  for (const [name, value] of Object.entries({
    email: 'ada@example.test',
    first_name: 'Ada',
    last_name: 'Lovelace',
    role: 'Member',
    organization_id: '1',
  }))
    form.set(`data[0][${name}]`, value)
  const add = () =>
    fetch(`${worker.url}/api/v2/organization/members/add?user_type=ENTERPRISE_API`, {
      method: 'POST',
      headers,
      body: form,
    })
  const mail = worker.outbox.waitFor({ to: 'ada@example.test' })
  t.equal((await add()).status, 200)
  t.match((await mail).links.accept, worker.url)
  t.equal((await worker.invitations.accept('ada@example.test')).status, 'accepted')
  t.equal((await add()).status, 409)
  await t.rejects(worker.invitations.decline('ada@example.test'), {
    message: /no pending invitation to 'ada@example.test'/,
  })
  await t.rejects(worker.outbox.waitFor({ to: 'nobody@example.test', timeout: 10 }), { message: /nobody@example.test/ })
  stop()
  t.strictSame(seen, ['listCreditHistories:401', 'addOrganizationMember:200', 'addOrganizationMember:409'])
  t.equal(worker.requests({ operation: 'addOrganizationMember', status: 409 }).length, 1)
  t.equal(worker.coverage().covered, 3)
  worker.clock.advance(1000)
  t.equal(worker.clock.now().toISOString(), '2026-01-15T09:30:01.000Z')
  worker.reset()
  t.strictSame([worker.requests(), worker.outbox.messages()], [[], []])
  await mock.close()
  await t.rejects(fetch(mock.url))
})

t.test('two servers in one process share nothing, and dispose of themselves', async (t) => {
  const [one, two] = await Promise.all([
    startMockServer({ port: 0 }),
    startMockServer({ port: 0, active: ['listCreditHistories:401'] }),
  ])
  const headers = { authorization: `Bearer ${one.token}` }
  t.equal((await fetch(one.url + HISTORIES, { headers })).status, 200)
  t.equal((await fetch(two.url + HISTORIES, { headers })).status, 401)
  t.equal(one.requests().length, 1)
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

t.test('fixtures may be data; what does not fit is refused in words', async (t) => {
  const mock = await startMockServer({ port: 0, fixtures: { organizations: [] } })
  t.equal(mock.token, '')
  t.strictSame(mock.state.get().organizations, [])
  await mock.close()
  await t.rejects(startMockServer({ port: -1 }), { name: 'InvalidOption' })
  await t.rejects(startMockServer({ port: 0, ...({ prot: 1 } as object) }), { message: /'prot' is unknown.*'port'/ })
  await t.rejects(startMockServer({ port: 0, fixtures: { users: [{}] as never } }), { name: 'InvalidFiles' })
  await t.rejects(startMockServer({ port: 0, active: ['nothing'] }), { message: /no scenario 'nothing'/ })
  const other = await startMockServer({ port: 0 })
  t.throws(() => other.sandbox('no/name'), { name: 'InvalidOption' })
  t.throws(() => other.scenarios.activate('addOrganizationMember:418'), { message: /Did you mean/ })
  await other.close()
})
