import { Type } from '@sinclair/typebox'
import { oneOf } from '../../../schemas/common.js'
import { quote } from '../../text/wording.js'
import { type ExchangeEntry, entryOf } from '../../world/journal/entry.js'
import type { Exchange } from '../../world/journal/exchange.js'
import { matching } from '../../world/journal/filter.js'
import { asCurl, asHar } from '../../world/journal/formats.js'
import { Problem } from '../problems.js'
import { readQuery } from './input.js'
import type { Resource } from './resource.js'

const FORMATS = ['json', 'curl', 'har', 'jsonl'] as const

const Query = Type.Object(
  {
    operation: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer({ minimum: 100, maximum: 599 })),
    unmatched: Type.Optional(Type.Boolean()),
    since: Type.Optional(Type.String({ description: 'An ISO 8601 time, or the id of an exchange.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1 })),
    format: Type.Optional(oneOf(FORMATS)),
  },
  { additionalProperties: false },
)

export const requests: Resource = (routes, { operations, worldOf, version }) => {
  const ids = operations.map(({ contract }) => contract.id)
  routes.get('/requests', (request, reply) => {
    const { limit, format = 'json', since, ...filter } = readQuery(Query, request.query)
    if (filter.operation !== undefined && !ids.includes(filter.operation)) {
      throw new Problem('invalid-input', `There is no operation ${quote(filter.operation)}: ${ids.join(', ')}.`)
    }
    const { journal } = worldOf(request)
    const found = journal
      .exchanges()
      .filter(matching(filter))
      .filter(since === undefined ? () => true : isAfter(since))
    const entries = found.slice(0, limit).map(entryOf)
    switch (format) {
      case 'json':
        return { requests: entries, meta: { total: found.length, notes: journal.notes } }
      case 'har':
        return asHar(entries, version, origin(request.headers.host))
      case 'curl':
        return reply
          .type('text/plain; charset=utf-8')
          .send(entries.map((one) => `${asCurl(one, origin(request.headers.host))}\n`).join(''))
      case 'jsonl':
        return reply.type('application/x-ndjson').send(entries.map((one) => `${JSON.stringify(one)}\n`).join(''))
    }
  })
  routes.get('/requests/:id', (request): ExchangeEntry => {
    const { id } = request.params as { id: string }
    const exchange = worldOf(request)
      .journal.exchanges()
      .find((one) => one.id === id)
    if (exchange === undefined)
      throw new Problem('not-found', `The journal has no exchange ${quote(id)}: it may be too old, or another world's.`)
    return entryOf(exchange)
  })
  routes.delete('/requests', (request) => {
    worldOf(request).journal.clear()
    return { status: 'ok' }
  })
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

function origin(host: string | undefined): string {
  return `http://${host ?? '127.0.0.1'}`
}
