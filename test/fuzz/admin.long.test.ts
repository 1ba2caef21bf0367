import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { defaultFixtures } from '../../src/package-root.js'
import type { Server } from '../../src/server/create-server.js'
import { readFixtures } from '../../src/world/state/fixtures.js'
import { build } from '../helper.js'
import { holds } from '../property.js'
import { type Change, changed, changesWith } from './bytes.js'
import { exercise } from './exercise.js'
import { checkAlive, checkAnswer, inTime } from './oracle.js'
import { changedValue, valueChanges } from './values.js'

const { attachments: _, credit_histories: __, ...state } = await readFixtures(defaultFixtures)
const id = state.invitations?.[0]?.id

/** Calls of admin that succeed, with the words that theirs are made of. */
const calls = {
  state: {
    method: 'PUT',
    url: '/__admin/state',
    body: state,
    words: [...Object.keys(state), 'token-admin', 'pending'],
  },
  clock: {
    method: 'PUT',
    url: '/__admin/clock',
    body: { now: '2026-01-15T09:30:00Z', frozen: true },
    words: ['advance'],
  },
  scenario: {
    method: 'PUT',
    url: '/__admin/scenarios/verifyDocument:404',
    body: { active: true, state: 'x' },
    words: ['rules'],
  },
  reset: { method: 'POST', url: '/__admin/reset', body: {}, words: [] },
  accept: { method: 'POST', url: `/__admin/invitations/${id}/accept`, body: {}, words: ['decline'] },
  delete: { method: 'DELETE', url: '/__admin/sandboxes/a', body: {}, words: ['..'] },
  requests: {
    method: 'GET',
    url: '/__admin/requests?operation=verifyDocument&status=200&since=x1&limit=5&format=curl',
    words: ['curl', 'unmatched=', 'summary'],
  },
  outbox: { method: 'GET', url: '/~a/__admin/outbox?to=a@example.test&wait=1', words: ['wait=', '99999999999'] },
  openapi: { method: 'GET', url: '/__admin/openapi.json?version=3.0', words: ['3.1'] },
  coverage: { method: 'GET', url: '/__admin/coverage?all', words: ['all='] },
  page: { method: 'POST', url: `/invitations/${id}/accept`, body: {}, words: ['decline', '/sign/'] },
} as const satisfies Record<string, { method: string; url: string; body?: unknown; words: readonly string[] }>

const URL_WORDS = ['', ...'/ // ? & = % %00 %2F %zz .. ~a /~b constructor __proto__ 0 -1 [] # é'.split(' ')]

type Name = keyof typeof calls
/** What takes a body of many parts comes more often. */
const weightOf = (name: Name) => (name === 'state' ? 6 : 1)

/** Changes, most times none. */
const seldom = (words: readonly string[], weight: number) =>
  fc.oneof({ weight, arbitrary: fc.constant<Change[]>([]) }, { weight: 1, arbitrary: changesWith(words, 2) })

const anyCall = fc.oneof(
  ...(Object.keys(calls) as Name[]).map((name) => {
    const { words } = calls[name]
    const arbitrary = fc.record({
      name: fc.constant(name),
      url: seldom([...URL_WORDS, ...words], name === 'state' ? 9 : 2),
      values: valueChanges(words, 2),
      text: seldom(['{', '[', '"', ',', '\\u0000', ...words], 3),
    })
    return { weight: weightOf(name), arbitrary }
  }),
)

type Call = typeof anyCall extends fc.Arbitrary<infer T> ? T : never

/** A call after its changes; what no URL may hold is left out. */
function requestOf({ name, url, values, text }: Call) {
  const call = calls[name]
  const body =
    'body' in call ? changed(JSON.stringify(changedValue<unknown>(call.body, values)) ?? '', text) : undefined
  const address = changed(call.url, url)
    .toString('latin1')
    .replace(/[^\x21-\x7e]/g, '')
  return { method: call.method, url: address.startsWith('/') ? address : `/${address}`, ...(body && { payload: body }) }
}

/** What was put is what is there, as often as it is put. */
async function checkPut({ app }: Server, body: string): Promise<void> {
  const again = await inTime('the same state', app.inject({ method: 'PUT', url: '/__admin/state', payload: body }))
  assert.equal(again.statusCode, 200, `the state that it had cannot be put: ${again.body.slice(0, 300)}`)
  assert.equal(again.body, body, 'the state is another one when it is put')
}

t.test('whatever admin and the pages are asked, they answer, or refuse it as a problem', async (t) => {
  const server = await build(t)
  const check = async (list: readonly Call[]) => {
    server.worlds.root.reset()
    for (const call of list) {
      const request = requestOf(call)
      const { statusCode: status, headers, body } = await inTime(call.name, server.app.inject(request))
      try {
        const isPage = /^text\/html/.test(String(headers['content-type']))
        checkAnswer(undefined, { status, headers, body: isPage ? null : body })
        if (call.name === 'state' && status === 200 && request.url === calls.state.url) await checkPut(server, body)
        assert.match(server.worlds.root.clock.iso(), /^\d{4}-/, 'the clock has a year that is none')
      } catch (error) {
        const told = `${request.method} ${request.url}\n${request.payload?.subarray(0, 1_000)}`
        throw new Error(`${(error as Error).message}\n${told}`)
      }
    }
    await exercise(server)
  }
  const some = fc.array(anyCall, { minLength: 1, maxLength: 5, size: 'max' })
  await holds(t, 'any calls', fc.asyncProperty(some, check), { numRuns: 80, seed: 20_261 })
  await checkAlive(server)
})
