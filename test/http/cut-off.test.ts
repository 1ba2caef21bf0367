import { connect, type Socket } from 'node:net'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { createSigningLink, uploadSignature } from '../../schemas/index.js'
import { defineOperation } from '../../src/operations/handler.js'
import { operations } from '../../src/operations/index.js'
import type { Server } from '../../src/server/create-server.js'
import { until } from '../binary.js'
import { lastExchange } from '../helper.js'
import { listening } from '../wire.js'
import { bytes, form, raw } from './forms.js'

const covered = async ({ app }: Server): Promise<number> => (await app.inject('/__admin/coverage')).json().covered

/** How a client leaves. */
const WAYS = ['resetAndDestroy', 'destroy'] as const
type Listening = Awaited<ReturnType<typeof listening>>

/** Begins a request, and leaves once the journal knows of it. */
async function leaveDuring({ server, port }: Listening, way: (typeof WAYS)[number], sent: Buffer): Promise<void> {
  const { journal } = server.worlds.root
  const { total } = journal
  const { length } = journal.exchanges()
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
  socket.write(sent)
  await until(() => journal.total > total)
  socket[way]()
  await until(() => journal.exchanges().length > length)
}

const ABORTED = 'aborted: the connection ended before the answer'

t.test('a client that leaves in the middle of a body has met no outcome', async (t) => {
  const mock = await listening(t)
  for (const contract of [uploadSignature, createSigningLink] as readonly Contract[]) {
    for (const chunked of [false, true]) {
      for (const way of WAYS) {
        const [head, body] = raw(form, { contract, chunked })
        await leaveDuring(mock, way, bytes(head, body.subarray(0, 500)))
        const { status, outcome, violations, why } = lastExchange(mock.server)
        const label = `${contract.id}, ${way} of a${chunked ? ' chunked' : ''} body`
        t.match([outcome, why], [null, ABORTED], label)
        t.same([status, violations], [null, []], `${label}: nobody is to blame`)
      }
    }
  }
  t.equal(await covered(mock.server), 0, 'nothing is covered')
  t.same([...mock.server.worlds.root.state.collection('signatures').all()], [], 'nothing is stored')
})

t.test('a client that leaves before its answer has met no outcome', async (t) => {
  let connection: Socket | undefined
  const patient = operations.map((operation) =>
    defineOperation(operation.contract, async (call, reply) => {
      await until(() => connection?.writable === false)
      return operation.handler(call, reply)
    }),
  )
  const mock = await listening(t, {}, { operations: patient })
  mock.server.app.server.on('connection', (socket: Socket) => {
    connection = socket
  })
  for (const way of WAYS) {
    await leaveDuring(mock, way, bytes(...raw(form)))
    const { status, outcome, why } = lastExchange(mock.server)
    t.same([status, outcome, why], [null, null, ABORTED], way)
  }
  t.equal(await covered(mock.server), 0, 'nothing is covered')
})
