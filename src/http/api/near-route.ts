import type { Contract } from '../../../schemas/contract.js'
import { lettersApart } from '../../text/nearest.js'
import { unescaped } from '../../text/unescaped.js'
import { isPlaceholder } from '../../validation/suspicious.js'

/** Whether a path is a contract's. */
export function matches({ path }: Contract, given: string): boolean {
  const template = path.split('/')
  const segments = given.split('/')
  return (
    template.length === segments.length &&
    template.every((segment, at) => (segment.startsWith('{') ? segments[at] !== '' : segment === segments[at]))
  )
}

/** A contract, and how near a path is to its own. */
export interface NearRoute {
  readonly contract: Contract
  /** The values of the path, for the variables of the contract's. */
  readonly params: Readonly<Record<string, string>>
  /** Whether the path is surely the contract's, mistyped, with a value for each variable and no other. */
  readonly isNear: boolean
  readonly isWhole: boolean
}

/** What another method, and a value too many or too few, count, in letters. */
const APART = 3
/** Letters that may differ, of every ten of a path's own words, where a path is nearly another. */
const NEAR = 4

/** The contract whose path has the most alike words, and as many values. */
export function nearestRoute(contracts: readonly Contract[], method: string, path: string): NearRoute {
  const sent = partsOf(path)
  const routes = contracts.map((contract) => {
    const own = partsOf(contract.path)
    const letters = Math.min(...own.words.map((_, at) => lettersFrom(own.words, at, sent.words)))
    const isWhole = own.values.length === sent.values.length
    const names = own.values.map((variable) => variable.slice(1, -1))
    return {
      contract,
      params: Object.fromEntries(names.map((name, at) => [name, sent.values[at] ?? ''])),
      isNear: letters * 10 <= own.words.join('').length * NEAR,
      isWhole,
      far: letters + (contract.method === method ? 0 : APART) + (isWhole ? 0 : APART),
    }
  })
  return routes.reduce((best, one) => (one.far < best.far ? one : best))
}

/** How many letters differ, if the path begins with a contract's word at this place; those before it count half. */
function lettersFrom(own: readonly string[], at: number, sent: readonly string[]): number {
  return own.slice(0, at).join('').length / 2 + lettersApart(own.slice(at).join('/'), sent.join('/'))
}

/** Characters of a path that are looked at. */
const LONGEST = 500
/** What many paths begin with says little about which one is meant. */
const PREFIX = /^(?:api|v\d+)$/

/** The words of a path, those of `credit-histories` apart, and its values. */
function partsOf(path: string): { readonly words: readonly string[]; readonly values: readonly string[] } {
  const segments = path
    .slice(0, LONGEST)
    .split('/')
    .map((segment) => unescaped(segment))
  const known = segments.filter((segment) => segment !== '' && !PREFIX.test(segment))
  const words = known.filter((segment) => !isValue(segment))
  return { words: words.flatMap((word) => word.split(/[-_]/)), values: known.filter(isValue) }
}

/** Whether a segment is surely a value, and not a word: it has a digit or an @, or is where a value is missing. */
function isValue(segment: string): boolean {
  return /[\d@]/.test(segment) || isPlaceholder(segment) || /^[:{]/.test(segment)
}
