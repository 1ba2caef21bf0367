import { type Contract, fillPath, writtenHeader } from '../contract/contract.js'
import { fieldsIn } from '../judge/body-fields.js'
import { type CorrectRequest, correct } from '../judge/correct.js'
import { type CurlCall, type CurlValue, queryString } from '../judge/curl.js'
import { methodOverride } from '../judge/method-override.js'
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
  const { url, text, headers, params, query, form, meantForm, isCut } = request
  // The journal has only the beginning of the values.
  if (isCut) return undefined
  if (violations.some(({ about }) => !about.isRepairable)) return undefined
  const type = String(headers['content-type'] ?? '')
  const wasSent = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
  const body = form ?? meantForm ?? (wasSent ? fieldsIn(text ?? '', type) : null)
  // A delete is never turned into a write.
  const other = methodOverride({ headers, query, form: body })
  if (other !== undefined && other.method !== contract.method) return undefined
  return correct(contract, { url, params, query, body })
}

function fieldsOf(form: CorrectRequest['form'], redact: Redact): CurlCall['form'] | undefined {
  const fields: (readonly [string, CurlValue])[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, redact(value)])
    else if (PLAIN_NAME.test(value.filename))
      fields.push([name, { path: unescapedName(value.filename), type: value.mimetype }])
    else return undefined
  }
  return fields
}

/** A shell and curl take any other character, in quotes. */
const PLAIN_NAME = /^[^\p{Cc}\u2028\u2029]{1,255}$/u

/** The name of a file on its disk: forms escape a quotation mark in it. */
function unescapedName(filename: string): string {
  return filename.replaceAll('%22', '"')
}
