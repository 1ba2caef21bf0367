import type { Contract } from '../../contract/contract.js'
import { lettersApart } from '../../contract/nearest.js'
import { safeDecodeURIComponent } from '../../judge/decode.js'
import { isPlaceholder } from '../../judge/text.js'

export function matches({ path }: Contract, given: string): boolean {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(given)
}

export interface NearRoute {
  readonly contract: Contract
  /** The values in the path, by the contract's variables. */
  readonly params: Readonly<Record<string, string>>
  /** `isNear`: the words are probably mistyped; `isWhole`: each variable has a value. */
  readonly isNear: boolean
  readonly isWhole: boolean
}

/** The penalty for another method, or another number of values, in letters. */
const APART = 3
/** A near path differs in at most 4 of 10 letters. */
const NEAR = 4

export function nearestRoute(contracts: readonly Contract[], method: string, path: string): NearRoute {
  const sent = partsOf(path)
  const routes = contracts.map((contract) => {
    const own = partsOf(contract.path)
    const letters = Math.min(...own.words.map((_, at) => lettersFrom(own.words, at, sent.words)))
    const isBeginning = sent.words.length > 0 && sent.words.every((word, at) => word === own.words[at])
    const rest = own.words.slice(sent.words.length).join('')
    const isWhole = own.values.length === sent.values.length
    const names = own.values.map((variable) => variable.slice(1, -1))
    return {
      contract,
      params: Object.fromEntries(names.map((name, at) => [name, sent.values[at] ?? ''])),
      isNear: letters * 10 <= own.words.join('').length * NEAR,
      isWhole,
      far: (isBeginning ? rest.length / 2 : letters) + (contract.method === method ? 0 : APART) + (isWhole ? 0 : APART),
    }
  })
  return routes.reduce((best, one) => (one.far < best.far ? one : best))
}

/** Letters that differ if the path begins at this word; skipped words count half. */
function lettersFrom(own: readonly string[], at: number, sent: readonly string[]): number {
  return own.slice(0, at).join('').length / 2 + lettersApart(own.slice(at).join('/'), sent.join('/'))
}

/** Common prefixes do not help to find a route. */
const PREFIX = /^(?:api|v\d+)$/i

function partsOf(path: string): { readonly words: readonly string[]; readonly values: readonly string[] } {
  // A matrix parameter, or an encoded query.
  const segments = path.split('/').map((segment) => safeDecodeURIComponent(segment).replace(/[;?#].*/s, ''))
  const known = segments.filter((segment) => segment !== '' && !PREFIX.test(segment))
  const words = known.filter((segment) => !isValue(segment))
  return { words: words.flatMap((word) => word.split(/[-_]/)), values: known.filter(isValue) }
}

/** Digits, at signs and placeholders mark a value. */
function isValue(segment: string): boolean {
  return /^:|[\d@]/.test(segment) || isPlaceholder(segment)
}
