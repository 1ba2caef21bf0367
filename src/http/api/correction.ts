import type { TSchema } from '@sinclair/typebox'
import type { Form } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import type { User } from '../../../schemas/fixtures.js'
import { type CurlValue, curl } from '../../docs/curl.js'
import { exampleOf, fillPath, queryString } from '../../docs/example-call.js'
import { sampleFiles } from '../../docs/sample-files.js'
import { exampleValues } from '../../operations/example-values.js'
import { jsonOr } from '../../text/json.js'
import { type CorrectValue, correct } from '../../validation/correct.js'
import type { Exchange } from '../../world/journal/exchange.js'
import type { World } from '../../world/world.js'

/** Where a request went, and who sent it. */
export interface Called {
  readonly contract: Contract
  readonly world: World
  readonly baseUrl: string
  /** Null where that is not known. */
  readonly user: User | null
}

/** Characters of a value beyond which nobody copies a line. */
const LONGEST_VALUE = 1_000

/** The token as a variable of the shell: its value is a secret. */
const TOKEN = `'Authorization: Bearer '"$TOKEN"`

/** A request as it should have been, as one line for curl; undefined where that cannot be known. */
export function correctedLine(exchange: Exchange, { contract, world, baseUrl, user }: Called): string | undefined {
  const { params, query, text, headers, violations } = exchange
  const known = exampleValues(world, user ?? undefined)
  const sample = (name: string, schema: TSchema | undefined) => known[name] ?? exampleOf(schema)
  const form = exchange.form ?? (text === null ? null : formIn(text, String(headers['content-type'] ?? '')))
  const request = correct(contract, { params, query, form, violations }, sample)
  if (request === undefined) return undefined
  const texts = [...request.query, ...request.form].map(([, value]) => value)
  if (texts.some((one) => typeof one === 'string' && one.length > LONGEST_VALUE)) return undefined
  const path = fillPath(contract, (name) => request.params[name] as string)
  return curl(
    {
      method: contract.method,
      url: `${baseUrl}${path}${queryString(request.query)}`,
      token: TOKEN,
      form: request.form.map(([name, value]) => [name, asField(value, contract.form?.properties[name] as TSchema)]),
    },
    ' ',
  )
}

/** Names of files that mean the same in every shell and to curl: no folder, and no `-`, which is standard input. */
const PLAIN_NAME = /^(?!-$)[\p{L}\p{N}_.+ ()@,;-]{1,255}$/u

function asField(value: CorrectValue, schema: TSchema): CurlValue {
  if (typeof value === 'string') return value
  const type = schema.contentMediaType as string
  if ('filename' in value && PLAIN_NAME.test(value.filename)) return { path: value.filename, type: value.mimetype }
  return { path: sampleFiles[type] ?? 'FILE', type }
}

/** The fields of a body that is no form, but says the same: URL-encoded, or JSON. */
function formIn(text: string, type: string): Form | null {
  if (/^application\/x-www-form-urlencoded/i.test(type)) return Object.fromEntries(new URLSearchParams(text))
  const json = jsonOr(text, undefined)
  return typeof json === 'object' && json !== null ? Object.fromEntries(flat(json)) : null
}

/** The texts of a value, named as forms name them: `data[0][email]`. */
function flat(value: object, prefix = '', depth = 0): [string, string][] {
  if (depth > 4) return []
  return Object.entries(value).flatMap(([key, inner]): [string, string][] => {
    const name = prefix === '' ? key : `${prefix}[${key}]`
    if (inner === null || inner === undefined) return []
    return typeof inner === 'object' ? flat(inner, name, depth + 1) : [[name, String(inner)]]
  })
}
