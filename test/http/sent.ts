import type { Chunks } from '../wire.js'
import { bytes } from './forms.js'

/** Text of which each character is a byte. */
export const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** What a form is sent as. */
export interface Sent {
  /** The Content-Type of the request. */
  readonly type: string
  readonly body: Buffer
}

/** The request as it is written, in one piece. */
export const whole = (chunks: Chunks) => bytes(...([chunks].flat() as Uint8Array[]))

/** What a written request sends. */
export function sentIn(chunks: Chunks): Sent {
  const request = whole(chunks)
  const head = request.toString('latin1', 0, request.indexOf('\r\n\r\n'))
  return { type: /^content-type: *(.*)$/im.exec(head)?.[1] ?? '', body: bodyOf(request) }
}

/** The bytes of a body; of a chunked one, since Node makes chunks of its own, without their borders. */
export function bodyOf(request: Buffer): Buffer {
  const start = request.indexOf('\r\n\r\n')
  const body = request.subarray(start + 4)
  if (!/transfer-encoding: chunked/i.test(request.toString('latin1', 0, start))) return body
  const pieces: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.toString('latin1', at, line), 16)
    pieces.push(body.subarray(line + 2, line + 2 + size))
    at = line + 4 + size
  }
  return Buffer.concat(pieces)
}
