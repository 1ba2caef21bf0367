import { createHash } from 'node:crypto'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import { statusesOf } from '../../src/engine/contract/contract.js'
import { folder } from '../binary.js'
import { adminOf, build, multipart, requestOf, type Server, send } from '../helper.js'

const FLAKY = `
rules:
  - on: listCreditHistories
    chance: 0.5
    answer: { status: 401 }
`

t.test('the same calls give the same answers, in two runs and in 64 sandboxes at once', async (t) => {
  const settings = { seed: '7', clock: '2026-01-15T09:30:00Z', scenarios: folder(t, { 'flaky.yaml': FLAKY }) }
  const first = await build(t, settings)
  const second = await build(t, settings)
  const alone = await digestOfCalls(first)
  t.equal(await digestOfCalls(second), alone, 'another run')
  const names = Array.from({ length: 64 }, (_, at) => `worker-${at}`)
  const together = await Promise.all(names.map((name) => digestOfCalls(second, name)))
  t.strictSame(together, Array(64).fill(alone), '64 sandboxes at once')
  const other = await build(t, { ...settings, seed: '8' })
  t.not(await digestOfCalls(other), alone, 'another seed gives other answers')
})

t.test('a server keeps a thousand sandboxes, and deletes the one that was idle longest', async (t) => {
  const server = await build(t)
  for (let at = 0; at <= 1_000; at++) await server.app.inject(`/~s${at}/__admin/health`)
  const names = Array.from({ length: 1_000 }, (_, at) => `s${at + 1}`)
  t.same((await adminOf(server).sandboxes()).sort(), names.sort())
})

t.test('an exchange copied as a rule gives every call of its operation the same answer', async (t) => {
  const server = await build(t)
  const { call } = adminOf(server)
  const repeatAnswer = async () => {
    const rule = await call('GET', 'requests/x1?format=rule')
    if (rule.statusCode === 200) await call('PUT', 'scenarios/again', { rules: [rule.json()], active: true })
    return rule.statusCode
  }
  for (const contract of contracts) {
    for (const status of statusesOf(contract)) {
      await call('POST', 'reset')
      const answer = await send(server, contract, { headers: { prefer: `code=${status}` } })
      await repeatAnswer()
      const other = await send(server, contract, { query: { page: '2' } })
      t.strictSame([other.statusCode, other.json()], [answer.statusCode, answer.json()], `${contract.id}:${status}`)
    }
  }
  await call('POST', 'reset')
  const body = { page: 1, per_page: 1, total: 0, histories: [], note: 'x'.repeat(20_000) }
  const long = { on: 'listCreditHistories', offContract: true, answer: { body } }
  await call('PUT', 'scenarios/long', { rules: [long], active: true })
  await send(server, api.listCreditHistories)
  t.equal(await repeatAnswer(), 409, 'an answer that the journal shortened cannot be a rule')
})

for (const token of ['token-admin', 'token-other'])
  t.test(`the example call of each operation succeeds if ${token} is the first user's`, async (t) => {
    const server = await build(t)
    const { call, state } = adminOf(server)
    const { users, ...others } = await state()
    const first = users.toSorted((one, other) => Number(other.token === token) - Number(one.token === token))
    await call('PUT', 'state', { ...others, users: first })
    for (const { id } of contracts) {
      const example = (await call('GET', `examples/${id}`)).json()
      t.equal(example.token, token, `${id}: the token`)
      const form = multipart(
        example.form.map(({ name, value, file }: { name: string; value?: string; file?: { content: string } }) => [
          name,
          value ?? { ...file, content: Buffer.from(file?.content ?? '', 'base64') },
        ]),
      )
      const headers = { authorization: `Bearer ${token}`, ...(example.form.length > 0 && form.headers) }
      const { method, path: url } = example
      const payload = example.form.length > 0 ? form.body : undefined
      const { statusCode, body } = await server.app.inject({ method, url, headers, payload })
      t.equal(statusCode, 200, `${id}: it succeeds`, { body, url })
    }
  })

async function digestOfCalls(server: Server, sandbox?: string): Promise<string> {
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
