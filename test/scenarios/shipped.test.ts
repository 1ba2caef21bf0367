import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { parse } from 'yaml'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { describeRule } from '../../src/world/scenarios/describe.js'
import type { Scenario } from '../../src/world/scenarios/scenario.js'
import { build, type Changes, lastExchange, requestOf, send } from '../helper.js'
import { plansOf } from './play.js'

const FOLDER = new URL('../../fixtures/scenarios/', import.meta.url)
const files = readdirSync(FOLDER)
const names = files.map((file) => basename(file, extname(file)))
const EMAIL = 'data[0][email]'

t.test('eight scenarios are shipped, valid by their JSON Schema, each with a line in the docs', async (t) => {
  t.equal(
    names.join(' '),
    'empty-account expired-token flaky-network invitation-conflicts rate-limited saved-but-failed service-down slow-everything',
  )
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const check = new Ajv({ strict: false }).compile(JSON.parse(read('../../schemas/json/scenario.schema.json')))
  const page = read('../../docs/scenarios.md')
  for (const file of files) {
    const data = parse(readFileSync(new URL(file, FOLDER), 'utf8'))
    t.ok(check(data), `${file}: it fits the JSON Schema`, { errors: check.errors })
    t.match(data.description, /^[A-Z].{30,}\.$/, `${file}: its description is a sentence`)
    t.match(page, `\`${basename(file, '.yaml')}\``, `${file}: docs/scenarios.md mentions it`)
  }
})

t.test('each rule of each shipped scenario is described in a sentence', async (t) => {
  const { library } = (await build(t)).worlds.root
  await library.load()
  for (const name of names) {
    const scenario = library.find(name) as Scenario
    for (const [at, rule] of scenario.rules.entries()) {
      const { on, answer, times, chance, then, when } = rule
      const sentence = describeRule(rule)
      const parts = [
        /^[A-Z].*\.$/,
        ...(on === '*' ? ['any operation'] : on),
        answer.status !== undefined && `${answer.status}`,
        answer.fault,
        answer.effect === 'after' && 'the operation takes place, but then',
        answer.delay !== undefined && / \d+ ms/,
        times !== undefined && (times === 1 ? 'The first call' : `The first ${times} calls`),
        chance !== undefined && '10 in 100 of them',
        when?.state !== undefined && `the scenario is in the state '${when.state}'`,
        then !== undefined && `Then the scenario is in the state '${then}'.`,
      ]
      for (const part of parts.filter(Boolean)) t.match(sentence, part, `${name}, rule ${at + 1}: ${part}`)
    }
  }
})

async function status(server: Server, contract: Contract, changes?: Changes): Promise<number> {
  return (await send(server, contract, changes)).statusCode
}

t.test('expired-token: three calls, whichever, then 401 for all', async (t) => {
  const server = await build(t, { scenario: ['expired-token'] })
  for (const contract of [listCreditHistories, verifyDocument, uploadSignature])
    t.equal(await status(server, contract), 200, `${contract.id} is among the three calls that succeed`)
  for (const contract of contracts) t.equal(await status(server, contract), 401, `${contract.id} then gets 401`)
})

t.test('empty-account: no credits, no documents; the rest of the service is there', async (t) => {
  const server = await build(t, { scenario: ['empty-account'] })
  const histories = (await send(server, listCreditHistories)).json()
  t.match(histories, { total: 0, histories: [] }, 'the list of credit histories is empty')
  t.equal(await status(server, searchProtectedAttachments), 404, 'a search finds nothing')
  t.equal(await status(server, verifyDocument), 404, 'a document is unknown')
  for (const contract of [uploadSignature, updateSubOrganizationMember, addOrganizationMember, createSigningLink])
    t.equal(await status(server, contract), 200, `${contract.id} is answered as usual`)
  t.same(lastExchange(server).deviations, [], 'the last answer has no deviations')
})

t.test('invitation-conflicts: addresses at taken.example are taken; the first other invitation fails', async (t) => {
  const server = await build(t, { scenario: ['invitation-conflicts'] })
  const invite = (email: string) => status(server, addOrganizationMember, { form: { [EMAIL]: email } })
  t.equal(await invite('ada@taken.example'), 409, 'an address at taken.example is a conflict')
  t.equal(await invite('ada@example.test'), 500, 'the first other invitation fails')
  t.equal(await invite('ada@example.test'), 200, 'its retry succeeds')
  t.equal(await invite('bob@example.test'), 200, 'an invitation to another address succeeds')
  t.equal(await invite('bob@taken.example'), 409, 'another address at taken.example is a conflict')
  t.equal(server.worlds.root.outbox.messages().length, 2, 'two mails are sent')
})

/** What a client over a socket makes of a call: `late` where it gave up, which it does soon where that is expected. */
async function outcome(url: string, expected: unknown, contract: Contract, changes?: Changes, patience = 250) {
  const { url: path, payload: body, ...request } = requestOf(contract, changes)
  try {
    const signal = AbortSignal.timeout(expected === 'late' ? patience : 10_000)
    return (await fetch(url + path, { ...request, body, signal } as RequestInit)).status
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code: string } }
    return name === 'TimeoutError' ? 'late' : (cause?.code ?? name)
  }
}

t.test('flaky-network: about one call in ten each is cut off, unanswered or slow; always the same ones', async (t) => {
  const server = await build(t, { scenario: ['flaky-network'] })
  const url = await server.listen()
  const planned = plansOf(server.worlds.sandbox('planned')!, 2_000, 'flaky-network')
  for (const rule of [1, 2, 3]) {
    const share = planned.filter((plan) => plan?.cause === `scenario:flaky-network#${rule}`).length / 2_000
    t.ok(share > 0.06 && share < 0.13, `rule ${rule} meets about one call in ten`, { share })
  }
  const seen = planned.slice(0, 40).map((plan) => {
    if (plan?.answer.fault === 'CONNECTION_RESET_BY_PEER') return 'ECONNRESET'
    if (plan?.answer.fault === 'EMPTY_RESPONSE') return 'UND_ERR_SOCKET'
    return plan?.delay === 2_000 ? 'late' : 200
  })
  for (const [at, expected] of seen.entries())
    t.equal(await outcome(url, expected, listCreditHistories), expected, `call ${at + 1} ends as planned`)
  t.same(new Set(seen).size, 4, 'all four endings occur within 40 calls')
})

t.test('slow-everything: 600 ms in the median, with a long tail, as the seed decides', async (t) => {
  const server = await build(t, { scenario: ['slow-everything'] })
  const planned = plansOf(server.worlds.sandbox('planned')!, 1_000, 'slow-everything')
  const delays = planned.map((plan) => plan?.delay as number)
  const sorted = [...delays].sort((a, b) => a - b)
  t.ok(Math.abs((sorted[500] as number) - 600) < 60, 'the median is near 600 ms')
  t.ok((sorted[990] as number) > 1_500, 'one call in a hundred takes over 1.5 s')
  t.equal(await status(server, listCreditHistories), 200, 'a slow call is answered')
  const { duration } = lastExchange(server)
  t.ok(
    (duration as number) >= (delays[0] as number) - 1,
    'its duration includes the delay, which follows from the seed',
  )
})

t.test('saved-but-failed: each first save happens, though it fails; the second is answered', async (t) => {
  const server = await build(t, { scenario: ['saved-but-failed'] })
  const url = await server.listen()
  const { state, outbox } = server.worlds.root
  t.equal(await outcome(url, 500, updateSubOrganizationMember, { form: { role: 'Admin' } }), 500, 'the first one fails')
  const member = [...state.collection('sub_organization_members').all()].find(({ id }) => id === 101)
  t.equal(member?.role, 'Admin', 'the member is changed all the same')
  t.equal(await outcome(url, 'ECONNRESET', addOrganizationMember), 'ECONNRESET', 'the first invitation is cut off')
  t.equal(outbox.messages('ada@example.test').length, 1, 'the invitation is mailed all the same')
  t.equal(await outcome(url, 'late', uploadSignature, {}, 2_000), 'late', 'the first upload is not answered')
  t.equal([...state.collection('signatures').all()].length, 1, 'the signature is stored all the same')
  for (const contract of [updateSubOrganizationMember, addOrganizationMember, uploadSignature])
    t.equal(await outcome(url, 200, contract), 200, `the second ${contract.id} is answered`)
})
