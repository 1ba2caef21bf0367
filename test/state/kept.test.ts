import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addOrganizationMember, verifyDocument } from '../../schemas/index.js'
import { startMockServer } from '../../src/index.js'
import { folder, until } from '../binary.js'
import { run, serve } from '../command-line.js'
import { adminOf, build, send, sendTo } from '../helper.js'

t.test('the server copies fixtures that are passed as data', async (t) => {
  const fixtures = { organizations: [{ id: 1, uuid: '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20', name: 'One' }] }
  await using mock = await startMockServer({ port: 0, fixtures })
  t.notOk(Object.isFrozen(fixtures.organizations[0]), 'the data is not frozen')
  fixtures.organizations[0]!.name = 'Two'
  t.match((await mock.state.get()).organizations, [{ name: 'One' }], 'the server has a copy')
  await t.rejects(
    startMockServer({ port: 0, fixtures: { users: () => [] } as never }),
    /plain data/,
    'a function is rejected',
  )
})

t.test('a scenario that is defined again starts over', async (t) => {
  const server = await build(t)
  const rules = (status: number) => ({ active: true, rules: [{ on: 'verifyDocument', times: 1, answer: { status } }] })
  const define = (status: number) => adminOf(server).call('PUT', 'scenarios/once', rules(status))
  await define(404)
  t.equal((await send(server, verifyDocument)).statusCode, 404)
  t.equal((await send(server, verifyDocument)).statusCode, 200, 'its rule is used up')
  for (const status of [422, 422]) {
    await define(status)
    t.match((await adminOf(server).call('GET', 'scenarios/once')).payload, '"answered":0', 'it starts over')
    t.equal((await send(server, verifyDocument)).statusCode, status, 'it answers again')
  }
})

t.test('a scenario that is saved as a file keeps its count of answers', async (t) => {
  const cwd = folder(t)
  const { url } = await serve(t, ['--scenarios', cwd], { cwd })
  const rules = [{ on: 'verifyDocument', times: 2, answer: { status: 422 } }]
  const body = JSON.stringify({ rules, active: true })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/__admin/scenarios/mine?save=true`, { method: 'PUT', headers, body })
  await sendTo(url, verifyDocument)
  const mine = () => fetch(`${url}/__admin/scenarios/mine`).then((answer) => answer.text())
  await until(async () => (await mine()).includes('"source":"file"'))
  t.match(await mine(), '"answered":1')
})

t.test('two saves at once both succeed, and the file contains the later one', async (t) => {
  const cwd = folder(t)
  const { url } = await serve(t, ['--scenarios', cwd], { cwd })
  const save = (status: number) =>
    fetch(`${url}/__admin/scenarios/mine?save=true`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rules: [{ on: 'verifyDocument', answer: { status } }] }),
    }).then((answer) => answer.status)
  t.same(await Promise.all([400, 404, 422].map(save)), [200, 200, 200])
  const saved = await (await fetch(`${url}/__admin/scenarios/mine`)).json()
  t.match(saved, { rules: [{ answer: { status: 422 } }] })
})

t.test('a scenario is found by its name in either Unicode form', async (t) => {
  const cwd = folder(t)
  writeFileSync(join(cwd, 'Ame\u0301lie.yaml'), 'rules: [{ on: verifyDocument, answer: { status: 404 } }]\n')
  for (const [name, base] of Object.entries({ one: 'Am\u00e9lie', two: 'Ame\u0301lie' })) {
    writeFileSync(join(cwd, `${name}.yaml`), `extends: [${base}]\n`)
    const server = await build(t, { scenarios: cwd, scenario: [name] })
    t.equal((await send(server, verifyDocument)).statusCode, 404, name)
  }
})

t.test('variables that Kubernetes sets for a Service named countersign are ignored', async (t) => {
  const env = {
    COUNTERSIGN_PORT: 'tcp://10.0.0.1:4010',
    COUNTERSIGN_SERVICE_HOST: '10.0.0.1',
    COUNTERSIGN_PORT_4010_TCP_ADDR: '10.0.0.1',
    COUNTERSIGN_ADMIN_PORT: 'TCP://10.0.0.2:80',
    COUNTERSIGN_ADMIN_SERVICE_PORT_HTTP: '80',
  }
  t.match(await run(t, ['list', 'operations'], { env }), { code: 0, err: '' })
  const quoted = await run(t, ['start'], { env: { COUNTERSIGN_ADMIN_TOKEN: '"s3cr3t"' } })
  t.match(quoted, { code: 1, err: /COUNTERSIGN_ADMIN_TOKEN is quoted/ })
  t.notMatch(quoted.err, 's3cr3t')
})

/** Adds a record that refers to a fixture, and then removes this fixture from the file. */
async function removeReferencedFixture(t: Test, prefix: string) {
  const cwd = folder(t)
  const file = join(cwd, 'fx.yaml')
  const added = '{ id: 77, uuid: 0b7c6f1e-5d3a-4c2b-8e9f-000000000077, name: New }'
  writeFileSync(file, `extends: default\norganizations: [${added}]\n`)
  const running = await serve(t, ['--fixtures', file], { cwd })
  const url = running.url + prefix
  const names = { first_name: 'A', last_name: 'B' }
  const member = { id: 9, organization_id: 77, email: 'x@example.test', ...names, role: 'Member' }
  const patch = await fetch(`${url}/__admin/state`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ organization_members: [member] }),
  })
  t.equal(patch.status, 200)
  writeFileSync(file, 'extends: default\n')
  return { ...running, url }
}

t.test('an edit of fixtures that would break references of records is rejected', async (t) => {
  const { url, err, out } = await removeReferencedFixture(t, '')
  await until(() => err() !== '')
  t.match(err(), /fx\.yaml: .*organizations has the id 77\. Fix the file, delete the record, or reset/)
  t.match(await sendTo(url, addOrganizationMember), { status: 200 }, 'the last good version stays in use')
  await fetch(`${url}/__admin/state/organization_members/9`, { method: 'DELETE' })
  await until(() => out().includes('reloaded'))
  t.notMatch(await (await fetch(`${url}/__admin/state`)).text(), '"name":"New"', 'the edit is tried again')
})

t.test('a sandbox keeps the old fixtures until a reset if an edit would break its records', async (t) => {
  const { url, out } = await removeReferencedFixture(t, '/~w-1')
  await until(() => out().includes('reloaded'))
  t.match(out(), /reloaded: .* These sandboxes keep the old fixtures, .*: w-1\./)
  const state = () => fetch(`${url}/__admin/state`).then((answer) => answer.text())
  t.match(await state(), '"name":"New"')
  await fetch(`${url}/__admin/reset`, { method: 'POST' })
  t.notMatch(await state(), '"name":"New"')
})
