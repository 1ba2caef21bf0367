import type { Contract } from '../contract/contract.js'
import type { Rules } from '../contract/rules.js'

export interface Viewer {
  readonly prefix: string
  readonly api: Rules
  readonly settings: { readonly secrets: readonly string[] }
  isToken(text: string): boolean
  isTokenHeader(name: string): boolean
  /** False if the token's user may not use these values. */
  isUsable(contract: Contract, values: Readonly<Record<string, string>>, token: string): boolean
}
