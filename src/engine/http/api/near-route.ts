import type { Contract } from '../../contract/contract.js'
import { lettersApart } from '../../contract/nearest.js'
import { safeDecodeURIComponent } from '../../judge/decode.js'
import { isPlaceholder } from '../../judge/text.js'

export function matches({ path }: Contract, given: string): boolean {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(given)
}

export interface NearRoute {
  readonly contract: Contract
  readonly params: Readonly<Record<string, string>>
  /** `isNear`: probably mistyped; `isWhole`: all variables have values. */
  readonly isNear: boolean
  readonly isWhole: boolean
}

/** Letters, for another method or another number of values. */
const APART = 3
/** Of 10 letters. */
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

/** Counts differing letters from this word on; skipped words count half. */
function lettersFrom(own: readonly string[], at: number, sent: readonly string[]): number {
  return own.slice(0, at).join('').length / 2 + lettersApart(own.slice(at).join('/'), sent.join('/'))
}

const PREFIX = /^(?:api|v\d+)$/i

function partsOf(path: string): { readonly words: readonly string[]; readonly values: readonly string[] } {
  const segments = path.split('/').map((segment) => safeDecodeURIComponent(segment).replace(/[;?#].*/s, ''))
  const known = segments.filter((segment) => segment !== '' && !PREFIX.test(segment))
  const words = known.filter((segment) => !isValue(segment))
  return { words: words.flatMap((word) => word.split(/[-_]/)), values: known.filter(isValue) }
}

function isValue(segment: string): boolean {
  return /^:|[\d@]/.test(segment) || isPlaceholder(segment)
}
