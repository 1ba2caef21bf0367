import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { oneOf } from '../../../schemas/common.js'
import { quote } from '../../text/wording.js'
import { asFetch, type Reached } from '../../world/journal/as-fetch.js'
import { asScenario } from '../../world/journal/as-scenario.js'
import { asTest } from '../../world/journal/as-test.js'
import { entryOf } from '../../world/journal/entry.js'
import type { Exchange } from '../../world/journal/exchange.js'
import { matching, unknownOperation } from '../../world/journal/filter.js'
import { asCurl, asHar } from '../../world/journal/formats.js'
import { summaryOf } from '../../world/journal/summary.js'
import type { World } from '../../world/world.js'
import { serverUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

const Query = Type.Object(
  {
    operation: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    unmatched: Type.Optional(Type.Boolean()),
    since: Type.Optional(Type.String({ description: 'An ISO 8601 time, or the id of an exchange.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    format: Type.Optional(oneOf(['json', 'summary', 'curl', 'scenario', 'har', 'jsonl'])),
  },
  { additionalProperties: false },
)

const QueryOfOne = Type.Object(
  { format: Type.Optional(oneOf(['json', 'curl', 'fetch', 'scenario', 'test'])) },
  { additionalProperties: false },
)

/** A journal's exchanges as text, newest first; `origin` is where the server is reached. */
const listTexts: Readonly<
  Record<
    string,
    { readonly type: string; readonly write: (exchanges: Exchange[], origin: string) => string | Promise<string> }
  >
> = {
  curl: {
    type: 'text/plain; charset=utf-8',
    write: (exchanges, origin) => exchanges.map((one) => `${asCurl(entryOf(one), origin)}\n`).join(''),
  },
  scenario: { type: 'application/yaml; charset=utf-8', write: (exchanges) => asScenario(exchanges) },
  jsonl: {
    type: 'application/x-ndjson',
    write: (exchanges) => exchanges.map((one) => `${JSON.stringify(entryOf(one))}\n`).join(''),
  },
}

/** One exchange as text, to be pasted somewhere. */
const texts: Readonly<Record<string, (exchange: Exchange, reached: Reached) => string | Promise<string>>> = {
  curl: (exchange, { origin }) => `${asCurl(entryOf(exchange), origin)}\n`,
  fetch: (exchange, reached) => asFetch(entryOf(exchange), reached),
  scenario: (exchange) => asScenario([exchange]),
  test: (exchange, reached) => asTest(entryOf(exchange), reached),
}

export const requests: Resource = (routes, { operations, worldOf, version }) => {
  const ids = operations.map(({ contract }) => contract.id)
  routes.get('/requests', { schema: { querystring: Query } }, async (request, reply) => {
    const { limit, format = 'json', since, ...filter } = request.query
    if (filter.operation !== undefined && !ids.includes(filter.operation)) {
      throw new Problem('invalid-input', unknownOperation(filter.operation, ids))
    }
    const world = worldOf(request)
    const { journal } = world
    const found = journal
      .exchanges()
      .filter(matching(filter))
      .filter(since === undefined ? () => true : isAfter(since))
    const wanted = found.slice(0, limit)
    const origin = serverUrlOf(request, world)
    const text = listTexts[format]
    if (text !== undefined) return reply.type(text.type).send(await text.write(wanted, origin))
    if (format === 'har') return asHar(wanted.map(entryOf), version, origin)
    const meta = { total: found.length, notes: journal.notes }
    return { requests: format === 'summary' ? wanted.map(summaryOf) : wanted.map(entryOf), meta }
  })
  routes.get('/requests/:id', { schema: { querystring: QueryOfOne } }, async (request, reply) => {
    const { id } = request.params as { id: string }
    const { format = 'json' } = request.query
    const world = worldOf(request)
    const exchange = world.journal.exchanges().find((one) => one.id === id)
    if (exchange === undefined)
      throw new Problem(
        'not-found',
        `The journal has no exchange ${quote(id)}. It may be too old, or belong to another world.`,
      )
    const write = texts[format]
    if (write === undefined) return entryOf(exchange)
    return reply.type('text/plain; charset=utf-8').send(await write(exchange, reachedBy(request, world, exchange)))
  })
  routes.delete('/requests', (request) => {
    worldOf(request).journal.clear()
    return { status: 'ok' }
  })
}

/** The token is one that gets the same answer: of a user who may not, where that was the answer. */
function reachedBy(request: FastifyRequest, world: World, { status, contract }: Exchange): Reached {
  const users = [...world.state.collection('users').all()]
  const { permission } = contract ?? {}
  const like =
    status === 403 && permission ? users.find(({ permissions }) => !permissions.includes(permission)) : users[0]
  return { origin: serverUrlOf(request, world), token: status === 401 ? 'no-such-token' : (like?.token ?? '') }
}

function isAfter(since: string): (exchange: Exchange) => boolean {
  const id = /^x(\d+)$/.exec(since)?.[1]
  if (id !== undefined) return (exchange) => Number(exchange.id.slice(1)) > Number(id)
  const time = Date.parse(since)
  if (Number.isNaN(time))
    throw new Problem(
      'invalid-input',
      `'since' must be an ISO 8601 time or the id of an exchange, not ${quote(since)}.`,
    )
  return (exchange) => exchange.at >= time
}
