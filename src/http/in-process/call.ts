import type { Readable } from 'node:stream'

/** A request as it is sent, which redirects change. */
export interface Call {
  readonly request: Request
  readonly url: string
  readonly method: string
  /** A stream where the caller gave one. */
  readonly body: Buffer | Readable | null
}
