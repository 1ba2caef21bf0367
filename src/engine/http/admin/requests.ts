import { Type } from '@sinclair/typebox'
import type { AdminRoutes } from '../../api.js'
import { oneOf, partial } from '../../contract/fields.js'
import { mapInBatches } from '../../contract/map-in-batches.js'
import { TIME, timeOf } from '../../contract/time.js'
import { quote } from '../../contract/wording.js'
import { asRule, asScenario } from '../../journal/as-scenario.js'
import { correctionOf } from '../../journal/correction.js'
import { entryOf, pendingOf, summaryOf } from '../../journal/entry.js'
import type { Exchange } from '../../journal/exchange.js'
import { createFilter, describeUnknownOperation, MAX_WORDS, searchWords } from '../../journal/filter.js'
import { serialOf } from '../../journal/journal.js'
import { redactionOf } from '../../journal/redact.js'
import { sentRequest } from '../../journal/sent-request.js'
import { asCall, asCurl, asTest, curlAsFetch, FRAMEWORKS, fetchSnippet, isForFetch } from '../../journal/snippets.js'
import { curl, shellQuote } from '../../judge/curl.js'
import type { Sandbox } from '../../sandbox/sandbox.js'
import { serverUrlOf } from '../base-url.js'
import { pathParam } from '../path-param.js'
import { Problem } from '../problems.js'

const Query = partial({
  operation: Type.String(),
  status: Type.Integer({ minimum: 100, maximum: 599 }),
  unmatched: Type.Boolean(),
  pending: Type.Boolean(),
  search: Type.String(),
  since: Type.String(),
  limit: Type.Integer({ minimum: 1 }),
  format: oneOf(['json', 'summary', 'curl', 'scenario']),
})

const FORMATS = ['json', 'curl', 'fetch', 'scenario', 'rule', 'call', 'corrected', 'corrected-fetch'] as const
const ExchangeQuery = partial({ format: oneOf([...FORMATS, ...FRAMEWORKS.keys()]) })

export const requests: AdminRoutes = (routes, { contracts, sandboxOf }) => {
  const ids = contracts.map(({ id }) => id)
  routes.get('/requests', { schema: { querystring: Query } }, async (request, reply) => {
    const { limit, format = 'json', since, pending = false, ...filter } = request.query
    if (filter.operation !== undefined && !ids.includes(filter.operation))
      throw new Problem('invalid-input', describeUnknownOperation(filter.operation, ids))
    const count = searchWords(filter.search ?? '').length
    if (count > MAX_WORDS)
      throw new Problem('invalid-input', `'search' has ${count} words, and can have at most ${MAX_WORDS}.`)
    const sandbox = sandboxOf(request)
    const { journal } = sandbox
    const origin = serverUrlOf(request, sandbox)
    const snapshots = new Map(pending ? journal.pending().map((one) => [one.snapshot(), one]) : [])
    const ended = journal.exchanges()
    const all = [...snapshots.keys(), ...ended].filter(since === undefined ? () => true : isAfter(since, ended))
    const isFiltered = Object.keys(filter).length > 0
    const matches = isFiltered ? await mapInBatches(all, createFilter(filter, sandbox)) : []
    const matching = isFiltered ? all.filter((_, at) => matches[at]) : all
    if (pending) matching.sort((a, b) => serialOf(b.id) - serialOf(a.id))
    const exchanges = matching.slice(0, limit)
    if (format === 'scenario') {
      const answered = exchanges.filter((exchange) => !snapshots.has(exchange))
      return reply.type('application/yaml; charset=utf-8').send(await asScenario(answered, sandbox))
    }
    if (format === 'curl') {
      const readable = exchanges.filter(({ request: { method, url } }) => method !== '' && url !== '')
      return (
        await mapInBatches(readable, (one) => `${cutNote(one, '#')}${asCurl(entryOf(one, sandbox, origin), origin)}\n`)
      ).join('')
    }
    const viewOf = (exchange: Exchange) => {
      const view = format === 'summary' ? summaryOf(exchange, sandbox) : entryOf(exchange, sandbox, origin)
      const pendingExchange = snapshots.get(exchange)
      return pendingExchange === undefined ? view : pendingOf(pendingExchange, view)
    }
    return { requests: await mapInBatches<Exchange, object>(exchanges, viewOf), meta: { total: matching.length } }
  })
  routes.get('/requests/:id', { schema: { querystring: ExchangeQuery } }, async (request) => {
    const id = pathParam(request, 'id')
    const { format = 'json' } = request.query
    const sandbox = sandboxOf(request)
    const pending = sandbox.journal.pending().find((one) => one.id === id)
    const exchange = pending?.snapshot() ?? sandbox.journal.exchanges().find((one) => one.id === id)
    const notFound = `The journal has no exchange ${quote(id)}. It may be too old, or belong to another sandbox.`
    if (exchange === undefined) throw new Problem('not-found', notFound)
    const { api } = sandbox
    if (format === 'rule') return asRule(exchange, sandbox) ?? throwUnavailable(id, 'rule')
    const { token: sentToken } = exchange.request
    const caller = sentToken === undefined ? undefined : sandbox.userOf(sentToken)
    const origin = serverUrlOf(request, sandbox)
    if (format === 'json') {
      const view = {
        ...entryOf(exchange, sandbox, origin),
        caller: caller === undefined ? null : api.users.caller(caller),
      }
      return pending === undefined ? view : pendingOf(pending, view)
    }
    if (format === 'scenario') return asScenario([exchange], sandbox)
    const token = caller && api.users.token(caller)
    return textOf(exchange, sandbox, format, origin, token) ?? throwUnavailable(id, 'corrected')
  })
  routes.delete('/requests', (request) => {
    sandboxOf(request).journal.clear()
    return { status: 'ok' }
  })
}

const REASONS = {
  rule: 'cannot become a rule: no operation answered it, or its answer was not kept in full',
  copy: 'cannot be sent again: its method or its URL could not be read',
  fetch: 'cannot be sent by fetch, which does not allow its method or its URL: copy it as curl',
  call: 'cannot be sent again: the journal does not keep files and long bodies',
  corrected: 'has no corrected request: it has no violations, or the right values cannot be inferred',
} as const

function throwUnavailable(id: string, reason: keyof typeof REASONS): never {
  throw new Problem('conflict', `Exchange ${id} ${REASONS[reason]}.`)
}

function textOf(exchange: Exchange, sandbox: Sandbox, format: string, origin: string, token: string | undefined) {
  const server = { origin, token: token ?? 'no-such-token', isFirstToken: token === sandbox.firstToken }
  const entry = entryOf(exchange, sandbox, origin)
  if (entry.method === null || entry.url === null) throwUnavailable(entry.id, 'copy')
  const usesFetch = format === 'fetch' || format === 'call' || FRAMEWORKS.has(format)
  if (usesFetch && !isForFetch(entry)) throwUnavailable(entry.id, 'fetch')
  if (format === 'fetch') return cutNote(exchange, '//') + fetchSnippet(sentRequest(entry, origin), server.token)
  if (format === 'call')
    return (exchange.request.isCut ? undefined : asCall(entry, server.token)) ?? throwUnavailable(entry.id, 'call')
  const framework = FRAMEWORKS.get(format)
  if (framework !== undefined) return cutNote(exchange, '//') + asTest(entry, framework, server, exchange.answer.isCut)
  if (format === 'curl') return cutNote(exchange, '#') + withToken(asCurl(entry, origin), token)
  const contract = exchange.request.likelyContract ?? exchange.contract
  const corrected = correctionOf(exchange, sandbox, { origin, redact: redactionOf(exchange, sandbox) })
  if (corrected === undefined) return undefined
  return format === 'corrected'
    ? withToken(curl(corrected), token)
    : curlAsFetch(corrected, contract?.tokenHeaders[0], token ?? sandbox.firstToken ?? 'no-such-token')
}

function cutNote({ request }: Exchange, mark: '#' | '//'): string {
  return request.isCut ? `${mark} The journal did not keep this request in full.\n` : ''
}

function withToken(line: string, token: string | undefined): string {
  return `${token !== undefined && line.includes('$TOKEN') ? `TOKEN=${shellQuote(token)}\n` : ''}${line}\n`
}

function isAfter(text: string, ended: readonly Exchange[]): (exchange: Exchange) => boolean {
  const since = text.replace(' ', '+')
  // A slow call ends after calls that began later.
  const index = ended.findIndex(({ id }) => id === since)
  const older = new Set(index < 0 ? [] : ended.slice(index))
  if (older.size > 0) return (exchange) => !older.has(exchange)
  if (/^x\d+$/.test(since)) return ({ id }) => serialOf(id) > serialOf(since)
  const time = timeOf(since)
  const invalid = `'since' must be ${TIME}, or the id of an exchange such as x12, not ${quote(text)}.`
  if (time === undefined) throw new Problem('invalid-input', invalid)
  return ({ at }) => at >= time
}
