import { Type } from '@sinclair/typebox'
import { readQuery } from './input.js'
import type { Resource } from './resource.js'

/** The longest wait: two minutes. */
const LONGEST_WAIT = 120_000

const Query = Type.Object(
  {
    to: Type.Optional(Type.String()),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: LONGEST_WAIT, description: 'Milliseconds.' })),
  },
  { additionalProperties: false },
)

export const outbox: Resource = (routes, { worldOf }) => {
  routes.get('/outbox', async (request) => {
    const { to, wait = 0 } = readQuery(Query, request.query)
    const { outbox } = worldOf(request)
    const gone = new AbortController()
    request.raw.once('close', () => gone.abort())
    return { messages: wait === 0 ? outbox.messages(to) : await outbox.wait(to, wait, gone.signal) }
  })
  routes.delete('/outbox', (request) => {
    worldOf(request).outbox.clear()
    return { status: 'ok' }
  })
}
