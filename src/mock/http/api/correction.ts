import type { Form, FormValue } from '../../../../schemas/common.js'
import { type Contract, fillPath } from '../../../../schemas/contract.js'
import { isUnusableOrganization } from '../../operations/example-values.js'
import { queryString } from '../../operations/sample-call.js'
import type { Exchange } from '../../sandbox/journal/exchange.js'
import { userOfToken } from '../../sandbox/sandbox-suffix.js'
import type { CurlCall, CurlValue } from '../../text/curl.js'
import { flatTexts, objectIn } from '../../text/json.js'
import { type CorrectRequest, correct } from '../../validation/correct.js'
import { baseUrlOf, type ClientAddress } from '../base-url.js'
import { sentToken } from './authenticate.js'
import type { Call } from './call.js'
import { ReceivedFile } from './read-form.js'

const TOKEN = `'Authorization: Bearer '"$TOKEN"`

type Corrected = Pick<Call, 'request' | 'sandbox' | 'contract' | 'headers' | 'bytes'>

/** Returns a function that writes the corrected request; it runs when the exchange is looked at. */
export async function correctionOf(call: Corrected): Promise<Exchange['correction']> {
  const { sandbox, contract, headers, bytes } = call
  const { localPort, encrypted } = call.request.raw.socket as ClientAddress['raw']['socket']
  const mislabelled = bytes === null ? null : await parseMislabelledForm(bytes)
  const { token } = sentToken(call)
  return (exchange, redact) => {
    const request = correctedRequest(contract, exchange, mislabelled)
    if (request === undefined) return undefined
    const values = [...request.query, ...request.form]
    const user = userOfToken(sandbox, token ?? '') ?? sandbox.firstUser
    if (values.some(([name, value]) => isUnusableOrganization(sandbox, user, name, String(value)))) return undefined
    const form = fieldsOf(request.form, redact)
    if (form === undefined) return undefined
    const baseUrl = baseUrlOf({ headers, raw: { socket: { localPort, encrypted } } }, sandbox)
    const path = fillPath(contract, (name) => redact(request.params[name] as string))
    const query = queryString(request.query.map(([name, value]) => [name, redact(value)] as const))
    return { method: contract.method, url: `${baseUrl}${path}${query}`, token: TOKEN, form }
  }
}

function correctedRequest(contract: Contract, exchange: Exchange, mislabelled: Form | null) {
  const { text, headers, params, query, violations } = exchange
  // The journal has only the beginning of the values.
  if (exchange.cut && mislabelled === null) return undefined
  // The remedy is another user, and a correction keeps the client's own.
  if (violations.some(({ code }) => code === 'missing-permission')) return undefined
  const type = String(headers['content-type'] ?? '')
  const wasSent = Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
  const body = exchange.form ?? mislabelled ?? (wasSent ? fieldsIn(text ?? '', type) : null)
  return correct(contract, { params, query, body, violations })
}

function fieldsOf(form: CorrectRequest['form'], redact: (text: string) => string): CurlCall['form'] | undefined {
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

const FORM_BEGINS = /^--([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\r\nContent-Disposition: *form-data/i
/** Bytes. */
const LONGEST_FORM = 1024 * 1024
const EMPTY = new Uint8Array()

/**
 * Reads a multipart body that was sent without its boundary, as with a hand-written Content-Type; without the contents
 * of files.
 */
async function parseMislabelledForm(bytes: Buffer): Promise<Form | null> {
  if (bytes.byteLength > LONGEST_FORM) return null
  const text = bytes.toString('latin1')
  const [, boundary] = FORM_BEGINS.exec(text) ?? []
  if (boundary === undefined) return null
  const body = Buffer.from(text.replaceAll(`--${boundary}`, `--${BOUNDARY}`), 'latin1')
  const response = new Response(body, { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } })
  const data = await response.formData().catch(() => undefined)
  if (data === undefined) return null
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name).map(asField)]))
}

/** `Response.formData` takes boundaries of 27 to 70 characters. */
const BOUNDARY = 'countersign-reads-a-mislabelled-form'

function asField(value: string | File): FormValue {
  return typeof value === 'string' ? value : new ReceivedFile(value.name, value.type, EMPTY)
}
