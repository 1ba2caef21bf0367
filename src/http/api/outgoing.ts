import type { Readable } from 'node:stream'
import type { Fault } from '../../../schemas/scenario.js'

/** An answer on its way to the client. */
export interface Outgoing {
  readonly status: number
  /** The whole body, envelope included. */
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly fault?: Fault
  /** Whether the body departs from the contract on purpose. */
  readonly offContract?: boolean
  /** An answer of the provider's, in the place of body and headers. */
  readonly forwarded?: Forwarded
}

/** An answer that passes through. */
export interface Forwarded {
  /** The words beside its status. */
  readonly reason: string
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Its body; it ends the exchange before its last piece leaves. */
  readonly body: Readable
  /** Called where the answer is not sent. */
  readonly abort: () => void
}
