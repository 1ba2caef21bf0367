import { readFile } from 'node:fs/promises'
import { fillPath } from '../../../schemas/contract.js'
import { jsonOr } from '../../text/json.js'
import type { Target } from '../target.js'
import type { Call, FilePart, Token } from './call.js'
import { type NoAnswer, whyNot } from './no-answer.js'

/** What came back. */
export interface Answer {
  readonly call: Call
  readonly status: number
  readonly contentType: string
  /** Where a redirect leads; it is not followed. */
  readonly location: string | null
  readonly retryAfter: string | null
  readonly text: string
  /** The body as JSON; undefined for one that is none. */
  readonly body: unknown
}

const WRONG_TOKEN = 'countersign-wrong-token'

/** Bytes of a body that are read; no answer of this API comes near. */
const LONGEST_BODY = 16 * 1024 * 1024

/** Sends a call once. */
export async function sendCall(call: Call, target: Target): Promise<Answer | NoAnswer> {
  const { contract } = call
  const place = `${target.url}${fillPath(contract, (name) => call.params[name] ?? '')}`
  const search = new URLSearchParams(call.query).toString()
  const body = call.form === null ? undefined : await formData(call.form)
  const headers = new Headers([...target.headers.map(([name, value]): [string, string] => [name, value])])
  if (!headers.has('accept')) headers.set('accept', 'application/json')
  if (call.token !== null) headers.set(call.token.header, tokenIn(call.token, target))
  try {
    const response = await fetch(search === '' ? place : `${place}?${search}`, {
      method: contract.method,
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(target.timeout),
    })
    const text = await textOf(response)
    return {
      call,
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      location: absolute(response.headers.get('location'), place),
      retryAfter: response.headers.get('retry-after'),
      text,
      body: jsonOr(text, undefined),
    }
  } catch (error) {
    return whyNot(error, place, target)
  }
}

/** Where a redirect leads, in full. */
function absolute(location: string | null, place: string): string | null {
  return location !== null && URL.canParse(location, place) ? new URL(location, place).href : location
}

/** @throws {RangeError} for a body that is too long for an answer of this API, or has no end */
async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > LONGEST_BODY) throw new RangeError('the body is too long')
    chunks.push(chunk)
  }
  // Readers may ignore a byte order mark (RFC 8259, section 8.1).
  return Buffer.concat(chunks)
    .toString()
    .replace(/^\uFEFF/, '')
}

function tokenIn({ header, whose }: Token, target: Target): string {
  const tokens: Record<Token['whose'], string> = {
    user: target.token,
    nobody: WRONG_TOKEN,
    'nobody at all': '',
    'user without permission': target.tokenWithoutPermission ?? '',
  }
  return header === 'authorization' ? `Bearer ${tokens[whose]}` : tokens[whose]
}

async function formData(form: NonNullable<Call['form']>): Promise<FormData> {
  const data = new FormData()
  for (const [name, value] of Object.entries(form)) {
    if (typeof value === 'string') data.set(name, value)
    else data.set(name, await fileOf(value))
  }
  return data
}

async function fileOf({ content, name, mediaType }: FilePart): Promise<File> {
  const bytes = typeof content === 'string' ? await readFile(content) : content
  return new File([bytes as Uint8Array<ArrayBuffer>], name, { type: mediaType })
}
