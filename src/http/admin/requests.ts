import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { oneOf } from '../../../schemas/common.js'
import type { User } from '../../../schemas/fixtures.js'
import { type CurlCall, curl, shellQuote } from '../../text/curl.js'
import { quote } from '../../text/wording.js'
import { asRule, asScenario } from '../../world/journal/as-scenario.js'
import { entryOf, summaryOf } from '../../world/journal/entry.js'
import type { Exchange } from '../../world/journal/exchange.js'
import { createFilter, unknownOperation } from '../../world/journal/filter.js'
import { redactionOf } from '../../world/journal/redact.js'
import { asCurl, asFetch, asTest, correctedFetch, type SnippetServer } from '../../world/journal/snippets.js'
import { userOfToken } from '../../world/token-ending.js'
import type { World } from '../../world/world.js'
import { sentToken } from '../api/authenticate.js'
import { serverUrlOf } from '../base-url.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

interface Reader extends SnippetServer {
  readonly callerToken: string | undefined
}

const Query = Type.Object(
  {
    operation: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    unmatched: Type.Optional(Type.Boolean()),
    search: Type.Optional(Type.String({ description: 'Words that must all be found, in any letter case.' })),
    since: Type.Optional(Type.String({ description: 'An ISO 8601 time, or the id of an exchange.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    format: Type.Optional(oneOf(['json', 'summary', 'curl', 'scenario'])),
  },
  { additionalProperties: false },
)

const QueryOfOne = Type.Object(
  {
    format: Type.Optional(oneOf(['json', 'curl', 'fetch', 'scenario', 'test', 'rule', 'corrected', 'corrected-fetch'])),
  },
  { additionalProperties: false },
)

/** The formats of one exchange as text; undefined if it has none. */
const texts: Readonly<Record<string, (exchange: Exchange, reader: Reader) => string | undefined | Promise<string>>> = {
  curl: (exchange, { origin, callerToken }) => withToken(asCurl(entryOf(exchange), origin), callerToken),
  fetch: (exchange, reader) => asFetch(entryOf(exchange), reader),
  scenario: (exchange) => asScenario([exchange]),
  test: (exchange, reader) => asTest(entryOf(exchange), reader),
  corrected: (exchange, { callerToken }) => {
    const call = correctedCall(exchange)
    return call && withToken(curl(call, ' \\\n  '), callerToken)
  },
  'corrected-fetch': (exchange, { callerToken }) => {
    const call = correctedCall(exchange)
    return call && correctedFetch(call, callerToken)
  },
}

/** A shell line, below one that sets TOKEN if the caller is known. */
function withToken(line: string, token: string | undefined): string {
  return `${token !== undefined && line.includes('$TOKEN') ? `TOKEN=${shellQuote(token)}\n` : ''}${line}\n`
}

function correctedCall(exchange: Exchange): CurlCall | undefined {
  return exchange.violations.length === 0 ? undefined : exchange.correction?.(exchange, redactionOf(exchange))
}

export const requests: Resource = (routes, { contracts }) => {
  const ids = contracts.map(({ id }) => id)
  routes.get('/requests', { schema: { querystring: Query } }, async (request, reply) => {
    const { limit, format = 'json', since, ...filter } = request.query
    if (filter.operation !== undefined && !ids.includes(filter.operation)) {
      throw new Problem('invalid-input', unknownOperation(filter.operation, ids))
    }
    const { world } = request
    const { journal } = world
    const found = journal
      .exchanges()
      .filter(createFilter(filter))
      .filter(since === undefined ? () => true : isAfter(since))
    const wanted = found.slice(0, limit)
    if (format === 'scenario') return reply.type('application/yaml; charset=utf-8').send(await asScenario(wanted))
    if (format === 'curl') {
      const lines = wanted.map((one) => `${asCurl(entryOf(one), serverUrlOf(request, world))}\n`)
      return reply.type('text/plain; charset=utf-8').send(lines.join(''))
    }
    const meta = { total: found.length }
    return { requests: format === 'summary' ? wanted.map(summaryOf) : wanted.map(entryOf), meta }
  })
  routes.get('/requests/:id', { schema: { querystring: QueryOfOne } }, async (request, reply) => {
    const { id } = request.params as { id: string }
    const { format = 'json' } = request.query
    const { world } = request
    const exchange = world.journal.exchanges().find((one) => one.id === id)
    if (exchange === undefined)
      throw new Problem(
        'not-found',
        `The journal has no exchange ${quote(id)}. It may be too old, or belong to another sandbox.`,
      )
    if (format === 'rule') return asRule(exchange) ?? refused(id, 'rule')
    const write = texts[format]
    if (write === undefined) return { ...entryOf(exchange), caller: shownCaller(callerOf(world, exchange)) }
    const text = await write(exchange, readerOf(request, world, exchange))
    return reply.type('text/plain; charset=utf-8').send(text ?? refused(id, 'corrected'))
  })
  routes.delete('/requests', (request) => {
    request.world.journal.clear()
    return { status: 'ok' }
  })
}

const lacks = {
  rule: 'cannot become a rule: no operation answered it, or its answer was not kept in full',
  corrected: 'has no corrected request: it has no violations, or the right values cannot be inferred',
} as const

function refused(id: string, format: keyof typeof lacks): never {
  throw new Problem('conflict', `Exchange ${id} ${lacks[format]}.`)
}

function readerOf(request: FastifyRequest, world: World, exchange: Exchange): Reader {
  const callerToken = callerOf(world, exchange)?.token
  return { origin: serverUrlOf(request, world), token: callerToken ?? 'no-such-token', callerToken }
}

function callerOf(world: World, exchange: Exchange): User | undefined {
  const { token } = sentToken({ ...exchange, world })
  return token === undefined ? undefined : userOfToken(world, token)
}

function shownCaller(user: User | undefined) {
  return user === undefined ? null : { uuid: user.uuid, first_name: user.first_name, last_name: user.last_name }
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
