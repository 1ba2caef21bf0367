import type { Form } from '../../../schemas/common.js'
import { type Contract, fillPath } from '../../../schemas/contract.js'
import { queryString } from '../../docs/sample-call.js'
import { isForeign } from '../../operations/example-values.js'
import type { CurlCall, CurlValue } from '../../text/curl.js'
import { flatTexts, objectIn } from '../../text/json.js'
import { correct } from '../../validation/correct.js'
import type { Exchange } from '../../world/journal/exchange.js'
import { userOfToken } from '../../world/token-ending.js'
import type { World } from '../../world/world.js'
import { type Asked, baseUrlOf } from '../base-url.js'
import { sentToken } from './authenticate.js'
import type { Call } from './call.js'
import { parseMislabelledForm } from './mislabelled-form.js'

/** Characters of all values together beyond which nobody copies a line; the journal cuts even longer ones. */
const LONGEST = 20_000

/** The token as a variable of the shell: its value is a secret. */
const TOKEN = `'Authorization: Bearer '"$TOKEN"`

/** A call whose request is to be corrected. */
type Corrected = Pick<Call, 'request' | 'world' | 'contract' | 'headers'>

/** Gives the function that makes the corrected request when somebody looks at it; `bytes`: a body not read as a form. */
export async function correctionOf(call: Corrected, bytes: Buffer | null = null): Promise<Exchange['correction']> {
  const { world, contract, headers } = call
  const { localPort, encrypted } = call.request.raw.socket as Asked['raw']['socket']
  const mislabelled = bytes === null ? null : await parseMislabelledForm(bytes)
  const { token } = sentToken(call)
  return (exchange, redact) => {
    const baseUrl = baseUrlOf({ headers, raw: { socket: { localPort, encrypted } } }, world)
    return correctedCall(exchange, { contract, world, token, baseUrl, mislabelled }, redact)
  }
}

interface Called {
  readonly contract: Contract
  readonly world: World
  readonly token: string | undefined
  readonly baseUrl: string
  readonly mislabelled: Form | null
}

/** The request as it should have been; undefined if that cannot be known. */
function correctedCall(
  exchange: Exchange,
  { contract, world, token, baseUrl, mislabelled }: Called,
  redact: (text: string) => string,
): CurlCall | undefined {
  const { text, headers, params, query, violations } = exchange
  // Another user would be somebody else than the client is.
  if (violations.some(({ code }) => code === 'missing-permission')) return undefined
  const type = String(headers['content-type'] ?? '')
  const wasSent = text !== null || Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers
  const body = exchange.form ?? mislabelled ?? (wasSent ? fieldsIn(text ?? '', type) : null)
  const request = correct(contract, { params, query, body, violations })
  if (request === undefined) return undefined
  const user = userOfToken(world, token ?? '') ?? world.firstUser
  const isForeignRecord = ([name, value]: readonly [string, unknown]) => isForeign(world, user, name, String(value))
  if ([...request.query, ...request.form].some(isForeignRecord)) return undefined
  const texts = [...request.query, ...request.form].map(([, value]) => (typeof value === 'string' ? value.length : 0))
  if (texts.reduce((sum, one) => sum + one, 0) > LONGEST) return undefined
  const fields: (readonly [string, CurlValue])[] = []
  for (const [name, value] of request.form) {
    if (typeof value === 'string') fields.push([name, redact(value)])
    else if (PLAIN_NAME.test(value.filename)) fields.push([name, { path: value.filename, type: value.mimetype }])
    else return undefined
  }
  const path = fillPath(contract, (name) => redact(request.params[name] as string))
  const pairs = request.query.map(([name, value]) => [name, redact(value)] as const)
  return { method: contract.method, url: `${baseUrl}${path}${queryString(pairs)}`, token: TOKEN, form: fields }
}

/** Names of files that mean the same in every shell and to curl: no folder, and no `-`, which is standard input. */
const PLAIN_NAME = /^(?!-$)[\p{L}\p{N}_.+ ()@,;-]{1,255}$/u

/** The fields of a body that was not read, but says the same: URL-encoded, or JSON; undefined for any other. */
function fieldsIn(text: string, type: string): Readonly<Record<string, unknown>> | undefined {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(text))
  const json = objectIn(text)
  return json && Object.fromEntries(flatTexts(json))
}
