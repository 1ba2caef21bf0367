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
  /** What an answer of the mock's own says: the body of a success, the message of an error. Only such answers vary. */
  readonly said?: unknown
  /** Whether request or scenario has asked for this status by its number. */
  readonly asked?: boolean
  /** Sends an answer that is not the mock's own: it comes from the provider, piece by piece. `body` has none of it. */
  readonly relay?: () => void
}
