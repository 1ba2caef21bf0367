import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import { FAULTS } from '../../schemas/scenario.js'
import type { Server } from '../../src/server/create-server.js'
import { entryOf } from '../../src/world/journal/entry.js'
import { type Changes, lastExchange, requestOf, send } from '../helper.js'
import { playing, traces } from './play.js'

const EMAIL = 'data[0][email]'
const MAILED = 'new@example.test'
const invite = { form: { [EMAIL]: MAILED } }

/** Milliseconds that a client waits: not long where silence is expected. */
const patienceFor = (fault: unknown) => (fault === 'TIMEOUT' ? 300 : 10_000)

/** Calls over a real socket; undefined where no answer came. */
async function call(
  url: string,
  contract: Contract,
  changes?: Changes,
  patience = patienceFor(undefined),
): Promise<number | undefined> {
  const { method, url: path, headers, payload } = requestOf(contract, changes)
  try {
    const response = await fetch(url + path, {
      method: method as string,
      headers: headers as Record<string, string>,
      body: payload as Uint8Array<ArrayBuffer> | undefined,
      signal: AbortSignal.timeout(patience),
    })
    await response.text()
    return response.status
  } catch {
    return undefined
  }
}

const losses = [
  { name: 'a 500', answer: { status: 500, fault: undefined }, seen: 500 },
  { name: 'a reset', answer: { fault: 'CONNECTION_RESET_BY_PEER' }, seen: undefined },
  { name: 'a time-out', answer: { fault: 'TIMEOUT' }, seen: undefined },
]

for (const { name, answer, seen } of losses) {
  t.test(`effect: after with ${name}: it failed, but it happened`, async (t) => {
    const server = await playing(t, [
      {
        on: ['addOrganizationMember', 'updateSubOrganizationMember'],
        times: 2,
        answer: { ...answer, effect: 'after' },
      },
    ])
    const url = await server.listen()
    const patience = patienceFor(answer.fault)
    const { outbox, state } = server.worlds.root

    t.equal(await call(url, updateSubOrganizationMember, { form: { role: 'Admin' } }, patience), seen)
    const members = state.collection('sub_organization_members').all()
    t.equal([...members].find(({ id }) => id === 101)?.role, 'Admin', 'the member is changed')

    t.equal(await call(url, addOrganizationMember, invite, patience), seen)
    t.equal(outbox.messages(MAILED).length, 1, 'the invitation is on its way')
    t.match(entryOf(lastExchange(server)), {
      cause: 'scenario:it#1',
      status: seen ?? null,
      trace: { answeredBy: 'operate', why: 'answered by scenario:it#1' },
    })

    t.equal(await call(url, addOrganizationMember, invite), 200)
    t.equal(outbox.messages(MAILED).length, 2, 'the retry doubles it')
    const invitation = [...state.collection('invitations').all()].find(({ email }) => email === MAILED)
    await server.app.inject({ method: 'POST', url: `/__admin/invitations/${invitation?.id}/accept` })
    t.equal(
      await call(url, addOrganizationMember, invite),
      409,
      'and once it is accepted a retry meets the real conflict',
    )
  })
}

t.test('effect: after replaces the body of what has happened, too', async (t) => {
  const link = { link: 'https://x.test/s', project_uuid: '', email: '', created_at: '' }
  const server = await playing(t, [
    { on: 'createSigningLink', answer: { body: link, headers: { 'x-late': '1' }, offContract: true, effect: 'after' } },
  ])
  const response = await send(server, createSigningLink)
  t.match(response, { statusCode: 200, headers: { 'x-late': '1' } })
  t.same(response.json(), link)
  t.equal([...server.worlds.root.state.collection('signing_links').all()].length, 1)
})

/** What an operation refuses by itself, at each step of the journey. */
const refusals: readonly (readonly [why: string, Contract, Changes, status: number])[] = [
  ['without a token', addOrganizationMember, { headers: { authorization: undefined } }, 401],
  ['without permission', updateSubOrganizationMember, { headers: { authorization: 'Bearer token-member' } }, 403],
  ['without a required field', addOrganizationMember, { form: { [EMAIL]: undefined } }, 400],
  ['without a form', uploadSignature, { headers: { 'content-type': 'text/plain' } }, 422],
  ['of what does not exist', updateSubOrganizationMember, { params: { subOrgMemberId: '9' } }, 404],
  ['of what is there already', addOrganizationMember, { form: { [EMAIL]: 'li.jun@example.test' } }, 409],
]

t.test(
  'effect: after waits for an operation that takes place: a refusal stands, and the rule is not spent',
  async (t) => {
    for (const [why, contract, changes, status] of refusals) {
      const server = await playing(t, [
        { on: '*', times: 1, answer: { status: 401, effect: 'after' }, then: 'Over' },
        { on: '*', when: { state: 'Over' }, answer: { fault: 'TIMEOUT', effect: 'after' } },
      ])
      const { playback } = server.worlds.root
      t.equal((await send(server, contract, changes)).statusCode, status, `${contract.id} ${why}`)
      t.match(entryOf(lastExchange(server)), { cause: 'natural', status, outcome: `${contract.id}:${status}` })
      t.match([playback.stateOf('it'), playback.answered('it', 0)], ['Started', 0])
      t.equal((await send(server, contract)).statusCode, 401, 'the next one that takes place loses its answer')
      t.equal(lastExchange(server).cause, 'scenario:it#1')
      t.match([playback.stateOf('it'), playback.answered('it', 0)], ['Over', 1])
    }
  },
)

t.test('nor is it spent where the change could not be stored', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const rules = [{ on: 'addOrganizationMember', times: 1, answer: { status: 500, effect: 'after' } }]
  const server = await playing(t, rules, { persist: join(folder, 'world.json') })
  await rename(folder, `${folder}-away`)
  await writeFile(folder, 'no folder')
  t.equal((await send(server, addOrganizationMember, invite)).statusCode, 507)
  t.equal(server.worlds.root.playback.answered('it', 0), 0)
  await rm(folder)
  await rename(`${folder}-away`, folder)
  t.equal((await send(server, addOrganizationMember, invite)).statusCode, 500)
})

t.test('every other error leaves the state untouched', async (t) => {
  for (const contract of contracts as readonly Contract[]) {
    for (const answer of [{ status: 401 }, { status: contract.invalid }, ...FAULTS.map((fault) => ({ fault }))]) {
      const server = await playing(t, [{ on: contract.id, answer }])
      const url = await server.listen()
      const before = traces(server)
      const [seen, patience] = 'status' in answer ? [answer.status] : [undefined, patienceFor(answer.fault)]
      t.equal(await call(url, contract, {}, patience), seen, JSON.stringify(answer))
      t.equal(traces(server), before, contract.id)
      await server.close()
    }
  }
})

t.test('a rule may answer with a status, headers and a body of its own', async (t) => {
  const message = 'Six credits are missing.'
  const server = await playing(t, [
    { on: 'verifyDocument', answer: { status: 422, headers: { 'Retry-After': '3' } } },
    { on: 'addOrganizationMember', answer: { status: 500, body: { error: { code: 500, message } } } },
    { on: 'listCreditHistories', answer: { body: { page: 1, per_page: 1, total: 0, histories: [] } } },
  ])
  t.match(await send(server, verifyDocument), { statusCode: 422, headers: { 'retry-after': '3' } })
  t.equal((await send(server, verifyDocument)).json().error.code, 422, 'the sample body')
  t.equal((await send(server, addOrganizationMember)).json().error.message, message)
  t.equal((await send(server, listCreditHistories, { query: { page: 7 } })).json().total, 0, '200 without a status')
})

/** Bodies that depart from the contract on purpose. */
const departures: readonly (readonly [answer: Record<string, unknown>, body: string, type: RegExp])[] = [
  [{ status: 500, body: '<h1>Bad gateway</h1>', headers: { 'Content-Type': 'text/html' } }, '<h1>Bad', /^text\/html/],
  [{ status: 500, body: { fehler: 'ja' } }, '{"fehler":"ja"}', /^application\/json/],
  [{ status: 200, body: [] }, '[]', /^application\/json/],
  [{ status: 200, body: null }, 'null', /^application\/json/],
]

t.test('a body that departs from the contract on purpose is a deviation that is meant', async (t) => {
  for (const [answer, body, type] of departures) {
    for (const rule of [{ answer: { ...answer, offContract: true } }, { answer, offContract: true }]) {
      const server: Server = await playing(t, [{ on: 'addOrganizationMember', ...rule }])
      const response = await send(server, addOrganizationMember)
      t.equal(response.statusCode, answer.status)
      t.ok(response.payload.startsWith(body), response.payload)
      t.match(response.headers['content-type'], type)
      const { deviations } = entryOf(lastExchange(server))
      t.ok(deviations.length > 0 && deviations.every(({ meant }) => meant), JSON.stringify(deviations))
    }
  }
})
