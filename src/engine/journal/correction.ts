import { type Contract, fillPath, writtenHeader } from '../contract/contract.js'
import { flatTexts, objectIn } from '../contract/json.js'
import { type CorrectRequest, correct } from '../judge/correct.js'
import { type CurlCall, type CurlValue, queryString } from '../judge/curl.js'
import type { Exchange } from './exchange.js'
import type { Redact } from './redactor.js'
import type { Viewer } from './viewer.js'

/** The header with the caller's token, which a shell fills in. */
function tokenOption({ tokenHeaders }: Contract): string | undefined {
  const [header] = tokenHeaders
  return header && `'${writtenHeader(header, '')}'"$TOKEN"`
}

/** The corrected request, to a server at `origin`; undefined if it cannot be known. */
export function correctionOf(
  exchange: Exchange,
  viewer: Viewer,
  { origin, redact }: { readonly origin: string; readonly redact: Redact },
): CurlCall | undefined {
  const contract = exchange.contract ?? exchange.request.meantContract
  const request = contract && correctedRequest(contract, exchange)
  if (contract === undefined || request === undefined) return undefined
  const values = Object.fromEntries([...request.query, ...request.form].map(([name, value]) => [name, String(value)]))
  if (!viewer.isUsable(contract, values, exchange.request.token ?? '')) return undefined
  const form = fieldsOf(request.form, redact)
  if (form === undefined) return undefined
  const path = fillPath(contract, (name) => redact(request.params[name] as string))
  const query = queryString(request.query.map(([name, value]) => [name, redact(value)] as const))
  return {
    method: contract.method,
    url: `${origin}${viewer.prefix}${path}${query}`,
    token: tokenOption(contract),
    form,
  }
}

function correctedRequest(contract: Contract, { request, answer: { violations } }: Exchange) {
  const { text, headers, params, query, form, meantForm, isCut } = request
  // The journal has only the beginning of the values.
  if (isCut) return undefined
  // The remedy is another user, and a correction keeps the client's own.
  if (violations.some(({ code }) => code === 'missing-permission')) return undefined
  const type = String(headers['content-type'] ?? '')
  const wasSent = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
  const body = form ?? meantForm ?? (wasSent ? fieldsIn(text ?? '', type) : null)
  return correct(contract, { params, query, body, violations })
}

function fieldsOf(form: CorrectRequest['form'], redact: Redact): CurlCall['form'] | undefined {
  const fields: (readonly [string, CurlValue])[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, redact(value)])
    else if (PLAIN_NAME.test(value.filename)) fields.push([name, { path: value.filename, type: value.mimetype }])
    else return undefined
  }
  return fields
}

/** File names that need no quoting in any shell, nor for curl; `-` is its standard input. */
const PLAIN_NAME = /^(?!-$)[\p{L}\p{N}_.+ ()@,;-]{1,255}$/u

/** Reads a URL-encoded or JSON body as the fields of a form. */
function fieldsIn(text: string, type: string): Readonly<Record<string, unknown>> | undefined {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(text))
  const json = objectIn(text)
  return json && Object.fromEntries(flatTexts(json))
}
