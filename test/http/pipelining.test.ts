import { connect } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { addOrganizationMember, listCreditHistories } from '../../schemas/index.js'
import type { Fault } from '../../schemas/scenario.js'
import { until } from '../binary.js'
import { lastExchange, requestOf, send } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, CRLF, form, raw } from './forms.js'

/** The head of a request without a body. */
function head(contract: Contract | string, fields: readonly string[] = [], version = '1.1'): string {
  const line = typeof contract === 'string' ? `POST ${contract}` : `${contract.method} ${requestOf(contract).url}`
  const all = ['Host: localhost', 'Authorization: Bearer token-admin', ...fields]
  return [`${line} HTTP/${version}`, ...all].join(CRLF) + CRLF + CRLF
}

/** Writes all at once; resolves with what came until the connection ended, and how it did. */
function pipeline(port: number, ...requests: readonly (string | Uint8Array)[]) {
  return new Promise<{ readonly received: string; readonly end: string }>((resolve) => {
    let received = ''
    const timer = setTimeout(() => done('nothing'), 10_000)
    const socket = connect({ port, host: '127.0.0.1' })
    const done = (end: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ received, end })
    }
    socket.on('data', (data) => (received += data.toString('latin1')))
    socket.on('end', () => done('end')).on('error', (error: NodeJS.ErrnoException) => done(`${error.code}`))
    socket.write(bytes(...requests))
  })
}

const statusesIn = (received: string) =>
  Array.from(received.matchAll(/HTTP\/1\.1 (\d{3})/g), ([, status]) => Number(status))

/** How each fault ends a connection, and how many answers begin before. */
const ends: Readonly<Record<Exclude<Fault, 'TIMEOUT'>, readonly [end: string, begun: readonly number[]]>> = {
  CONNECTION_RESET_BY_PEER: ['ECONNRESET', [200]],
  EMPTY_RESPONSE: ['end', [200]],
  MALFORMED_RESPONSE_CHUNK: ['end', [200, 200]],
  RANDOM_DATA_THEN_CLOSE: ['end', [200]],
}

t.test('a fault comes when it is its turn on the connection', async (t) => {
  const { server, port } = await listening(t)
  for (const [fault, [end, begun]] of Object.entries(ends)) {
    const requests = ['delay=100', `fault=${fault}`].map((prefer) => head(listCreditHistories, [`Prefer: ${prefer}`]))
    const met = await pipeline(port, ...requests)
    t.same([met.end, statusesIn(met.received)], [end, begun], `${fault}: the request before it is answered`)
    t.equal(lastExchange(server).sent?.fault, fault, `${fault}: the journal records it`)
  }
})

t.test('an answer that is held back behind another one ends with its connection', async (t) => {
  const { server, port } = await listening(t)
  const { journal } = server.worlds.root
  const socket = connect({ port, host: '127.0.0.1' })
  socket.write(bytes(...[1, 2].map(() => head(listCreditHistories, ['Prefer: delay=60000']))))
  await until(() => journal.total === 2)
  socket.destroy()
  await until(() => journal.exchanges().every(({ duration }) => duration !== null))
  const unmet = { status: null, outcome: null }
  t.match(journal.exchanges(), [unmet, unmet], 'neither has an outcome')
})

t.test('requests on one connection are answered in their order', async (t) => {
  const { port } = await listening(t)
  const { received } = await pipeline(
    port,
    head(listCreditHistories, ['Prefer: delay=100']),
    bytes(...raw(form, { headers: ['Expect: 100-continue'] })),
    head('/nowhere'),
    head(listCreditHistories, ['Prefer: code=401', 'Connection: close']),
  )
  t.same(statusesIn(received), [200, 100, 200, 404, 401], 'every request is answered, in order')
})

t.test('HTTP/1.0 is answered, and closes unless the client asks otherwise', async (t) => {
  const { port } = await listening(t)
  const [start, body] = raw(form)
  const upload = bytes(String(start).replace('HTTP/1.1', 'HTTP/1.0'), body)
  for (const request of [head(listCreditHistories, [], '1.0'), upload]) {
    const { received, end } = await pipeline(port, request)
    t.same([statusesIn(received), end], [[200], 'end'], 'it is answered, and the connection ends')
  }
  const requests = [['Connection: keep-alive'], []].map((fields) => head(listCreditHistories, fields, '1.0'))
  const kept = await pipeline(port, ...requests)
  t.same(statusesIn(kept.received), [200, 200], 'a connection that is kept alive takes another request')
})

t.test('of two answers to one invitation that arrive together, the first counts', async (t) => {
  const { server, port } = await listening(t)
  const { state, outbox } = server.worlds.root
  for (const base of ['/invitations', '/__admin/invitations']) {
    for (const [first, second] of [
      ['accept', 'decline'],
      ['decline', 'accept'],
    ] as const) {
      const email = `${first}-${base.length}@example.test`
      await send(server, addOrganizationMember, { form: { 'data[0][email]': email } })
      const id = new URL(outbox.messages(email)[0]?.links.accept as string).pathname.split('/').at(-1) as string
      await pipeline(port, head(`${base}/${id}/${first}`), head(`${base}/${id}/${second}`, ['Connection: close']))
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
  const { received } = await pipeline(port, upload, head(listCreditHistories, ['Connection: close']))
  t.same(statusesIn(received), [413, 200], 'both are answered')
})
