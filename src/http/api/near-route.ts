import { distance } from 'fastest-levenshtein'
import type { Contract } from '../../../schemas/contract.js'
import { unescaped } from '../../text/unescaped.js'

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
  return { contract, params: alignment.params, isNear: isNear(contract, alignment) }
}

/** Letters that may differ, of every ten of a path's own words, where a path is nearly another. */
const NEAR = 4

function isNear({ path }: Contract, { letters, familiar }: Alignment): boolean {
  const words = segmentsOf(path).filter((segment) => !segment.startsWith('{'))
  return familiar && letters * 10 <= words.join('').length * NEAR
}

/** A path aligned with a contract's. */
interface Alignment {
  /** How many letters differ; a segment that lacks or is too many counts by itself. */
  readonly letters: number
  readonly params: NearRoute['params']
  /** Whether a word that is the contract's own is there, or nearly. */
  readonly familiar: boolean
}

const LACKING = { prefix: 1, other: 2 } as const
/** What many paths begin with says nothing of which one is meant. */
const PREFIX = /^(?:api|v\d+)$/

/** Aligns a path with a contract's, segment by segment, so that as few letters differ as can be. */
function aligned({ path }: Contract, given: string): Alignment {
  const template = segmentsOf(path)
  const all = segmentsOf(given)
  const sent = all.slice(0, 2 * template.length)
  const best: Alignment[][] = Array.from({ length: template.length + 1 }, () => [])
  for (let t = template.length; t >= 0; t--) {
    for (let s = sent.length; s >= 0; s--) {
      const [own, other] = [template[t], sent[s]]
      const row = best[t] as Alignment[]
      const ways: Alignment[] =
        own === undefined && other === undefined ? [{ letters: 0, params: {}, familiar: false }] : []
      if (own !== undefined) ways.push(lacking(best[t + 1]?.[s] as Alignment, own))
      if (other !== undefined) ways.push(farther(row[s + 1] as Alignment, other.length))
      if (own !== undefined && other !== undefined)
        ways.push(replaced(best[t + 1]?.[s + 1] as Alignment, own, other, template))
      row[s] = ways.reduce((least, one) => (one.letters < least.letters ? one : least))
    }
  }
  return farther(best[0]?.[0] as Alignment, all.slice(sent.length).join('').length)
}

function lacking(rest: Alignment, own: string): Alignment {
  return farther(rest, PREFIX.test(own) ? LACKING.prefix : LACKING.other)
}

function farther(rest: Alignment, letters: number): Alignment {
  return { ...rest, letters: rest.letters + letters }
}

function replaced(rest: Alignment, own: string, other: string, template: readonly string[]): Alignment {
  if (own.startsWith('{')) {
    // A word of the path itself is hardly a value.
    const params = { ...rest.params, [own.slice(1, -1)]: unescaped(other) }
    return farther({ ...rest, params }, template.includes(other) ? 1 : 0)
  }
  const apart = distance(own.toLowerCase(), other.toLowerCase())
  const familiar = rest.familiar || (!PREFIX.test(own) && apart * 10 <= own.length * NEAR)
  return { ...rest, letters: rest.letters + apart, familiar }
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}
