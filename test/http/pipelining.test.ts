import { connect } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import type { Fault } from '../../schemas/scenario.js'
import { until } from '../binary.js'
import { requestOf, send } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, form, raw } from './forms.js'
import { head, statusesIn, untilClosed } from './spoken.js'

/** A request without a body: a path, which is posted to, or an operation. */
function call(what: Contract | string, fields: readonly string[] = [], version = '1.1'): string {
  const line = typeof what === 'string' ? `POST ${what}` : `${what.method} ${requestOf(what).url}`
  return head([`${line} HTTP/${version}`, 'Host: localhost', 'Authorization: Bearer token-admin', ...fields])
}

/** Writes all at once. */
const pipeline = (port: number, ...requests: readonly (string | Uint8Array)[]) => untilClosed(port, bytes(...requests))

/** How each fault ends a connection, and how many answers begin before. */
const ends: Readonly<
  Record<Exclude<Fault, 'TIMEOUT'>, readonly [error: string | undefined, begun: readonly number[]]>
> = {
  CONNECTION_RESET_BY_PEER: ['ECONNRESET', [200]],
  EMPTY_RESPONSE: [undefined, [200]],
  MALFORMED_RESPONSE_CHUNK: [undefined, [200, 200]],
  RANDOM_DATA_THEN_CLOSE: [undefined, [200]],
}

t.test('a fault comes when it is its turn on the connection', async (t) => {
  const { server, port } = await listening(t)
  for (const [fault, [error, begun]] of Object.entries(ends)) {
    const requests = ['delay=100', `fault=${fault}`].map((prefer) => call(listCreditHistories, [`Prefer: ${prefer}`]))
    const met = await pipeline(port, ...requests)
    t.same([met.error, statusesIn(met.text)], [error, begun], `${fault}: the request before it is answered`)
    const recorded = server.worlds.root.journal.exchanges().some(({ sent }) => sent?.fault === fault)
    t.ok(recorded, `${fault}: the journal records it`)
  }
})

t.test('an answer that is held back behind another one ends with its connection', async (t) => {
  const { server, port } = await listening(t)
  const { journal } = server.worlds.root
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(bytes(...[1, 2].map(() => call(listCreditHistories, ['Prefer: delay=60000']))))
  await until(() => journal.total === 2)
  socket.destroy()
  await until(() => journal.exchanges().length === 2)
  const unmet = { status: null, outcome: null }
  t.match(journal.exchanges(), [unmet, unmet], 'neither has an outcome')
})

t.test('requests on one connection are answered in their order', async (t) => {
  const { port } = await listening(t)
  const { text } = await pipeline(
    port,
    call(listCreditHistories, ['Prefer: delay=100']),
    bytes(...raw(form, { headers: ['Expect: 100-continue'] })),
    call('/nowhere'),
    call(listCreditHistories, ['Prefer: code=401', 'Connection: close']),
  )
  t.same(statusesIn(text), [200, 100, 200, 404, 401], 'every request is answered, in order')
})

t.test('HTTP/1.0 is answered, and closes unless the client asks otherwise', async (t) => {
  const { port } = await listening(t)
  const [start, body] = raw(form)
  const upload = bytes(String(start).replace('HTTP/1.1', 'HTTP/1.0'), body)
  for (const request of [call(listCreditHistories, [], '1.0'), upload]) {
    const { text, error } = await pipeline(port, request)
    t.same([statusesIn(text), error], [[200], undefined], 'it is answered, and the connection ends')
  }
  const requests = [['Connection: keep-alive'], []].map((fields) => call(listCreditHistories, fields, '1.0'))
  const kept = await pipeline(port, ...requests)
  t.same(statusesIn(kept.text), [200, 200], 'a connection that is kept alive takes another request')
})

t.test('of two answers to one invitation that arrive together, the first counts', async (t) => {
  const { server, port } = await listening(t)
  const { state, outbox } = server.worlds.root
  for (const base of ['/invitations', '/__admin/invitations']) {
    for (const first of ['accept', 'decline']) {
      const second = first === 'accept' ? 'decline' : 'accept'
      const email = `${first}-${base.length}@example.test`
      await send(server, addOrganizationMember, { form: { 'data[0][email]': email } })
      const id = new URL(outbox.messages(email)[0]?.links.accept as string).pathname.split('/').at(-1) as string
      await pipeline(port, call(`${base}/${id}/${first}`), call(`${base}/${id}/${second}`, ['Connection: close']))
      const isMember = [...state.collection('organization_members').all()].some((one) => one.email === email)
      const wanted = first === 'accept' ? ['accepted', true] : ['declined', false]
      const found = [state.collection('invitations').get(id)?.status, isMember]
      t.same(found, wanted, `${base}: only ${first} has an effect`)
    }
  }
})

t.test('an early answer to a large upload does not hold up what is pipelined behind it', async (t) => {
  const { port } = await listening(t, { bodyLimit: 100_000 })
  const upload = bytes(...raw(Buffer.alloc(1_000_000)))
  const { text } = await pipeline(port, upload, call(listCreditHistories, ['Connection: close']))
  t.same(statusesIn(text), [413, 200], 'both are answered')
})
