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
  /** What stands where the contract has variables. */
  readonly params: Readonly<Record<string, string>>
  /** Whether the path is surely the contract's, mistyped: few letters differ, and one of its words is there. */
  readonly isNear: boolean
  /** Whether every value in the path has its place in the contract's. */
  readonly isWhole: boolean
}

/** How far another method is, in letters. */
const OTHER_METHOD = 3

/** The contract whose path is the nearest. */
export function nearestRoute(contracts: readonly Contract[], method: string, given: string): NearRoute {
  const routes = contracts.map((contract) => {
    const alignment = aligned(contract, given)
    return { contract, alignment, far: alignment.letters + (contract.method === method ? 0 : OTHER_METHOD) }
  })
  const { contract, alignment } = routes.reduce((best, one) => (one.far < best.far ? one : best))
  const { params, isWhole } = alignment
  return { contract, params, isWhole, isNear: isNear(contract, alignment) }
}

/** Letters that may differ, of every ten of a path's own words, where a path is nearly another. */
const NEAR = 4

function isNear({ path }: Contract, { letters, familiar }: Alignment): boolean {
  const words = segmentsOf(path).filter((segment) => !isVariable(segment))
  return familiar && letters * 10 <= words.join('').length * NEAR
}

/** A path aligned with a contract's. */
interface Alignment {
  /** How many letters differ, roughly. */
  readonly letters: number
  readonly params: NearRoute['params']
  /** Whether a word that is the contract's own is there, or nearly. */
  readonly familiar: boolean
  readonly isWhole: boolean
}

const SAME: Alignment = { letters: 0, params: {}, familiar: false, isWhole: true }

/** Aligns a path with a contract's: as it stands, or with `credit-histories` for `credits/histories`. */
function aligned(contract: Contract, given: string): Alignment {
  const template = segmentsOf(contract.path)
  const segments = segmentsOf(given).slice(0, 2 * template.length + 2)
  const split = segments.flatMap((one) => (isValue(one) ? [one] : one.split(/[-_]/)))
  return nearerOf(alignedSegments(template, segments), alignedSegments(template, split))
}

/** Aligns segment by segment, so that as few letters differ as can be. */
function alignedSegments(template: readonly string[], sent: readonly string[]): Alignment {
  const best: Alignment[][] = Array.from({ length: template.length + 1 }, () => [])
  for (let t = template.length; t >= 0; t--) {
    for (let s = sent.length; s >= 0; s--) {
      const [own, other] = [template[t], sent[s]]
      const row = best[t] as Alignment[]
      const ways: Alignment[] = own === undefined && other === undefined ? [SAME] : []
      if (own !== undefined) ways.push(lacking(best[t + 1]?.[s] as Alignment, own))
      if (other !== undefined) ways.push(excess(row[s + 1] as Alignment, other))
      if (own !== undefined && other !== undefined) ways.push(replaced(best[t + 1]?.[s + 1] as Alignment, own, other))
      row[s] = ways.reduce(nearerOf)
    }
  }
  return best[0]?.[0] as Alignment
}

function nearerOf(one: Alignment, other: Alignment): Alignment {
  return other.letters < one.letters ? other : one
}

/** What many paths begin with says little about which one is meant. */
const PREFIX = /^(?:api|v\d+)$/
/** What a prefix, and a value, count where they are missing or too many. */
const LETTERS = { prefix: 1, value: 3 } as const

function lacking(rest: Alignment, own: string): Alignment {
  return farther(rest, isVariable(own) ? LETTERS.value : lettersOf(own))
}

function excess(rest: Alignment, other: string): Alignment {
  const isLost = isValue(other)
  return { ...farther(rest, isLost ? LETTERS.value : lettersOf(other)), isWhole: rest.isWhole && !isLost }
}

/** What a word counts that stands on one side alone: half of its letters. */
function lettersOf(word: string): number {
  return PREFIX.test(word) ? LETTERS.prefix : word.length / 2
}

function replaced(rest: Alignment, own: string, other: string): Alignment {
  if (isVariable(own)) {
    const params = { ...rest.params, [own.slice(1, -1)]: unescaped(other) }
    // Any text may be a value, but a word is rather a part of the path.
    return farther({ ...rest, params }, isValue(other) ? 0 : 1 + Math.min(lettersOf(other), LETTERS.value))
  }
  const apart = lettersApart(own, other)
  const familiar = rest.familiar || (!PREFIX.test(own) && apart * 10 <= own.length * NEAR)
  return { ...farther(rest, apart), familiar, isWhole: rest.isWhole && !isValue(other) }
}

function farther(rest: Alignment, letters: number): Alignment {
  return { ...rest, letters: rest.letters + letters }
}

/** Whether a segment stands for a value in a contract's path. */
function isVariable(segment: string): boolean {
  return segment.startsWith('{')
}

/** Whether a segment is surely a value, and not a word: it has a digit or an @, or is where a value is missing. */
function isValue(segment: string): boolean {
  const text = unescaped(segment)
  return !PREFIX.test(text) && (/[\d@]/.test(text) || isPlaceholder(text) || text.startsWith(':'))
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
