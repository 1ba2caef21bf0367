import { type Contract, fillPath, writtenHeader } from '../contract/contract.js'
import { type CorrectRequest, correctRequest } from '../judge/correct.js'
import { type CurlCall, type CurlValue, queryString } from '../judge/curl.js'
import { Reading } from '../judge/reading.js'
import type { Exchange } from './exchange.js'
import type { Redact } from './redactor.js'
import type { Viewer } from './viewer.js'

/** A shell fills in the token. */
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
  // The journal has no contents of files, and only a part of a cut request: what they show is in the violations.
  if (request.isCut || violations.some(({ about }) => !about.isRepairable)) return undefined
  return correctRequest(new Reading(contract, request))
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

/** Shells and curl accept these in quotes. */
const PLAIN_NAME = /^[^\p{Cc}\u2028\u2029]{1,255}$/u

/** Forms escape quotation marks in file names. */
function unescapedName(filename: string): string {
  return filename.replaceAll('%22', '"')
}
