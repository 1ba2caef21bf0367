import type { Contract } from '../../../../schemas/contract.js'
import type { Readings } from '../../../../schemas/readings.js'
import type { Draw } from './draw.js'

/** An answer of the API, apart into all that may be otherwise. Variations make others of it, and change none. */
export interface Answer {
  /** The contract that it fits: under the readings in force, but for those that were drawn. */
  readonly contract: Contract
  readonly status: number
  /** What an error says, without its envelope; the body of a success. */
  readonly said: unknown
  readonly body: unknown
  /** How the body is written. */
  readonly write: (body: unknown) => string
  readonly contentType: string
  /** How the names of headers are written, which arrive in lower case. */
  readonly headerName: (name: string) => string
  readonly chunked: boolean
}

/** What is known of an answer that does not vary. */
export interface Given {
  /** The operation's contract as it is written. */
  readonly written: Contract
  readonly readings: Readings
  /** The readings that users know from their service. */
  readonly known: Partial<Readings>
  /** Whether somebody has asked for the status by its number. */
  readonly statusAsked: boolean
  /** Whether a rule has named the content type. */
  readonly typeNamed: boolean
  /** Whether the client knows chunks: those of HTTP/1.0 do not. */
  readonly takesChunks: boolean
}

/** What became otherwise, and to which value where there are several. */
interface Change extends Partial<Answer> {
  readonly to?: string
}

/** One way in which answers differ where the document leaves it open. */
export interface Variation {
  /** What `X-Mock-Varied` calls it. */
  readonly name: string
  /** What it makes of an answer; undefined where the answer has nothing of the kind, or would stay the same. */
  readonly change: (answer: Answer, draw: Draw, given: Given) => Change | undefined
}
