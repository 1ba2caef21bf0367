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
}

/** What is known of an answer that does not vary. */
export interface Given {
  /** The operation's contract as the document has it. */
  readonly documentedContract: Contract
  readonly readings: Readings
  /** The readings that users know from their service. */
  readonly known: Partial<Readings>
  /** Whether somebody has asked for the status by its number. */
  readonly statusAsked: boolean
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
