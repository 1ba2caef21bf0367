import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { adminOf, build, type Changes, lastExchange, type Server, send, sendTo } from '../helper.js'

const EMAIL = 'data[0][email]'

async function status(server: Server, contract: Contract, changes?: Changes): Promise<number> {
  return (await send(server, contract, changes)).statusCode
}

t.test('expired-token: any three calls succeed, then every call gets 401', async (t) => {
  const server = await build(t, { scenario: ['expired-token'] })
  for (const contract of [api.listCreditHistories, api.verifyDocument, api.uploadSignature])
    t.equal(await status(server, contract), 200, `${contract.id} is among the three calls that succeed`)
  for (const contract of contracts) t.equal(await status(server, contract), 401, `${contract.id} then gets 401`)
})

t.test('service-down and rate-limited: every call gets 503, or 429, with the time after which to retry', async (t) => {
  const server = await build(t)
  for (const [name, status] of [['service-down', 503] as const, ['rate-limited', 429] as const]) {
    for (const contract of contracts) {
      const { statusCode, headers } = await send(server, contract, { headers: { prefer: `scenario=${name}` } })
      t.same([statusCode, headers['retry-after']], [status, '1'], `${name}: ${contract.id}`)
    }
  }
})

t.test('empty-account: no credits, no documents; everything else works', async (t) => {
  const server = await build(t, { scenario: ['empty-account'] })
  const histories = (await send(server, api.listCreditHistories)).json()
  t.match(histories, { total: 0, histories: { length: 0 } }, 'the list of credit histories is empty')
  t.equal(await status(server, api.searchProtectedAttachments), 404, 'a search finds nothing')
  t.equal(await status(server, api.verifyDocument), 404, 'a document is unknown')
  for (const contract of [
    api.uploadSignature,
    api.updateSubOrganizationMember,
    api.addOrganizationMember,
    api.createSigningLink,
  ])
    t.equal(await status(server, contract), 200, `${contract.id} is answered as usual`)
  const exchanges = await adminOf(server).requests()
  t.same(
    exchanges.flatMap(({ deviations }) => deviations),
    [],
    'no answer has a deviation',
  )
})

t.test('invitation-conflicts: addresses at taken.example conflict; the first other invitation gets 500', async (t) => {
  const server = await build(t, { scenario: ['invitation-conflicts'] })
  const invite = (email: string) => status(server, api.addOrganizationMember, { form: { [EMAIL]: email } })
  t.equal(await invite('ada@taken.example'), 409, 'an address at taken.example is a conflict')
  t.equal(await invite('ada@example.test'), 500, 'the first other invitation fails')
  t.equal(await invite('ada@example.test'), 200, 'its retry succeeds')
  t.equal(await invite('bob@example.test'), 200, 'an invitation to another address succeeds')
  t.equal(await invite('bob@taken.example'), 409, 'another address at taken.example is a conflict')
  t.equal((await adminOf(server).mails()).length, 2, 'two mails are sent')
})

async function ending(url: string, contract: Contract, changes?: Changes, timeout = 10_000): Promise<string> {
  return sendTo(url, contract, changes, { signal: AbortSignal.timeout(timeout) }).then(
    ({ status }) => String(status),
    ({ name, cause }) => (name === 'TimeoutError' ? 'late' : (cause?.code ?? name)),
  )
}

t.test('flaky-network: some calls are cut off, unanswered or slow, and always the same ones', async (t) => {
  const server = await build(t, { scenario: ['flaky-network'] })
  const url = await server.listen()
  const endings = async (sandbox: string) => {
    const seen: string[] = []
    for (let nth = 0; nth < 17; nth++) seen.push(await ending(url, api.listCreditHistories, { sandbox }, 1_000))
    return seen
  }
  const [one, other] = await Promise.all(['a', 'b'].map(endings))
  t.strictSame(one, other)
  t.strictSame(new Set(one), new Set(['200', 'UND_ERR_SOCKET', 'ECONNRESET', 'late']))
})

t.test('saved-but-failed: each first save takes effect but fails; the second succeeds', async (t) => {
  const server = await build(t, { scenario: ['saved-but-failed'] })
  const url = await server.listen()
  t.equal(await ending(url, api.updateSubOrganizationMember, { form: { role: 'Admin' } }), '500', 'the first one fails')
  const { sub_organization_members: members } = await adminOf(server).state()
  const member = members.find(({ id }) => id === 101)
  t.equal(member?.role, 'Admin', 'the member is changed anyway')
  const trace = { answeredBy: 'operate', why: 'answered by scenario:saved-but-failed#1' }
  t.match(await lastExchange(server), { cause: 'scenario:saved-but-failed#1', status: 500, trace }, 'its exchange')
  t.equal(await ending(url, api.addOrganizationMember), 'ECONNRESET', 'the first invitation is cut off')
  t.equal((await adminOf(server).mails('ada@example.test')).length, 1, 'the invitation is mailed anyway')
  const cutOff = { cause: 'scenario:saved-but-failed#2', status: null, response: { fault: 'CONNECTION_RESET_BY_PEER' } }
  t.match(await lastExchange(server), cutOff, 'its exchange has no status')
  t.equal(await ending(url, api.uploadSignature, {}, 2_000), 'late', 'the first upload is not answered')
  t.equal((await adminOf(server).state()).signatures.length, 1, 'the signature is stored anyway')
  for (const contract of [api.updateSubOrganizationMember, api.addOrganizationMember, api.uploadSignature])
    t.equal(await ending(url, contract), '200', `the second ${contract.id} is answered`)
})
