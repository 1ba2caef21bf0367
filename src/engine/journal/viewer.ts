import type { Contract } from '../contract/contract.js'
import type { Rules } from '../contract/rules.js'

/** The parts of a sandbox that showing its exchanges takes. */
export interface Viewer {
  /** URL prefix; empty for the root. */
  readonly prefix: string
  readonly api: Rules
  /** Tokens of the server's own. */
  readonly secrets: readonly string[]
  isToken(text: string): boolean
  /** True for a header that may carry a user's token. */
  isTokenHeader(name: string): boolean
  /** False where values of a corrected request name what the user of a token may not use. */
  isUsable(contract: Contract, values: Readonly<Record<string, string>>, token: string): boolean
}
