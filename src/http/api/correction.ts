import type { TSchema } from '@sinclair/typebox'
import { exampleOf, type Form } from '../../../schemas/common.js'
import { type Contract, filesOf, fillPath } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import { queryString } from '../../docs/sample-call.js'
import { sampleFiles } from '../../docs/sample-files.js'
import { exampleValues, identifierFor, isForeign } from '../../operations/example-values.js'
import type { CurlCall, CurlValue } from '../../text/curl.js'
import { flatTexts, objectIn } from '../../text/json.js'
import { type CorrectValue, correct } from '../../validation/correct.js'
import type { Exchange } from '../../world/journal/exchange.js'
import type { World } from '../../world/world.js'
import { type Asked, baseUrlOf } from '../base-url.js'
import { sentToken } from './authenticate.js'
import type { Call } from './call.js'
import { parseMislabelledForm } from './mislabelled-form.js'
import { FILE_TYPE } from './unreadable-body.js'

/** Characters of all values together beyond which nobody copies a line; the journal cuts even longer ones. */
const LONGEST = 20_000

/** The token as a variable of the shell: its value is a secret. */
const TOKEN = `'Authorization: Bearer '"$TOKEN"`

/** A call whose request is to be corrected. */
type Corrected = Pick<Call, 'request' | 'world' | 'contract' | 'headers'>

/** What makes the corrected request when somebody looks at it; `bytes` is a body that was not read as a form. */
export async function correctionOf(call: Corrected, bytes: Buffer | null = null): Promise<Exchange['correction']> {
  const { world, contract, headers } = call
  const { localPort, encrypted } = call.request.raw.socket as Asked['raw']['socket']
  const mislabelled = bytes === null ? null : await parseMislabelledForm(bytes)
  const { token } = sentToken(call)
  return (exchange, redact) => {
    const user = token === undefined ? undefined : world.state.collection('users').first('token', token)
    const baseUrl = baseUrlOf({ headers, raw: { socket: { localPort, encrypted } } }, world)
    return correctedCall(exchange, { contract, world, user, baseUrl, mislabelled }, redact)
  }
}

interface Called {
  readonly contract: Contract
  readonly world: World
  readonly baseUrl: string
  readonly user: User | undefined
  readonly mislabelled: Form | null
}

/** The request as it should have been; undefined if that cannot be known. */
function correctedCall(
  exchange: Exchange,
  { contract, world, baseUrl, user, mislabelled }: Called,
  redact: (text: string) => string,
): CurlCall | undefined {
  const { text, headers } = exchange
  const known = exampleValues(world, user)
  const sample = (name: string, schema: TSchema | undefined) => known[name] ?? exampleOf(schema)
  const type = String(headers['content-type'] ?? '')
  const wasSent = text !== null || Number(headers['content-length'] ?? 0) > 0 || 'transfer-encoding' in headers
  const body = exchange.form ?? mislabelled ?? (wasSent ? fieldsIn(text ?? '', type, contract) : null)
  const { params, query, violations } = exchange
  const identifier = (name: string, value: unknown) => identifierFor(world, name, value)
  const isUnknown = (name: string, value: string) => isForeign(world, user ?? world.firstUser, name, value)
  const request = correct(contract, { params, query, body, violations }, { sample, identifier, isUnknown })
  if (request === undefined) return undefined
  const texts = [...request.query, ...request.form].map(([, value]) => (typeof value === 'string' ? value.length : 0))
  if (texts.reduce((sum, one) => sum + one, 0) > LONGEST) return undefined
  const path = fillPath(contract, (name) => redact(request.params[name] as string))
  const pairs = request.query.map(([name, value]) => [name, redact(value)] as const)
  const fields = request.form.map(([name, value]) => {
    const field = asField(value, contract.form?.properties[name] as TSchema)
    return [name, typeof field === 'string' ? redact(field) : field] as const
  })
  const url = `${baseUrl}${path}${queryString(pairs)}`
  return { method: contract.method, url, token: TOKEN, form: fields }
}

/** Names of files that mean the same in every shell and to curl: no folder, and no `-`, which is standard input. */
const PLAIN_NAME = /^(?!-$)[\p{L}\p{N}_.+ ()@,;-]{1,255}$/u

function asField(value: CorrectValue, schema: TSchema): CurlValue {
  if (typeof value === 'string') return value
  const type = schema.contentMediaType as string
  if ('filename' in value && PLAIN_NAME.test(value.filename)) return { path: value.filename, type: value.mimetype }
  return { path: sampleFiles[type] ?? 'FILE', type }
}

/** The fields of a body that was not read, but says the same: URL-encoded, JSON, or a file; undefined for any other. */
function fieldsIn(text: string, type: string, contract: Contract): Readonly<Record<string, unknown>> | undefined {
  const [file] = filesOf(contract)
  if (file !== undefined && FILE_TYPE.test(type)) return { [file]: { filename: '', mimetype: type } }
  if (/^application\/x-www-form-urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(text))
  const json = objectIn(text)
  return json && Object.fromEntries(flatTexts(json))
}
