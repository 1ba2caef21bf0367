import { Readable } from 'node:stream'
import { failed } from './failed.js'

/** A request, and whether its body is a stream that may never end. */
export interface RequestToSend {
  readonly request: Request
  readonly streamed: boolean
}

/**
 * The body of a request: whole, with a length, as `fetch` sends all but streams.
 * @throws {TypeError} where it cannot be read
 */
export async function bodyToSend({ request, streamed }: RequestToSend): Promise<Buffer | Readable | null> {
  const { body, signal } = request
  if (body === null) return null
  if (streamed) return Readable.fromWeb(body as never)
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    return Buffer.from(await Promise.race([request.arrayBuffer(), aborted]))
  } catch (error) {
    throw signal.aborted ? signal.reason : failed(error)
  }
}
