import type { Contract } from '../contract/contract.js'
import type { Rules } from '../contract/rules.js'

/** What showing an exchange needs of its sandbox. */
export interface Viewer {
  /** URL prefix; empty for the root. */
  readonly prefix: string
  readonly api: Rules
  /** Of the server. */
  readonly secrets: readonly string[]
  isToken(text: string): boolean
  isTokenHeader(name: string): boolean
  /** False if the token's user may not use these values. */
  isUsable(contract: Contract, values: Readonly<Record<string, string>>, token: string): boolean
}
