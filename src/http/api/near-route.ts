import { distance } from 'fastest-levenshtein'
import type { Contract } from '../../../schemas/contract.js'

/** Whether a path is a contract's. */
export function matches({ path }: Contract, given: string): boolean {
  const template = path.split('/')
  const segments = given.split('/')
  return (
    template.length === segments.length &&
    template.every((segment, at) => (segment.startsWith('{') ? segments[at] !== '' : segment === segments[at]))
  )
}

/** The contract whose path needs the fewest letters changed; a variable matches any segment. */
export function nearestRoute(contracts: readonly Contract[], method: string, given: string): Contract {
  const far = (contract: Contract) => lettersApart(contract, given) + (contract.method === method ? 0 : 0.5)
  return contracts.reduce((best, one) => (far(one) < far(best) ? one : best))
}

/** Letters that may differ, of every ten, where a path is nearly another. */
const NEAR = 4

export function isNear(contract: Contract, given: string): boolean {
  return lettersApart(contract, given) * 10 <= given.length * NEAR
}

/** A contract's path with its variables taken from a path that is nearly it, from the end: beginnings are forgotten. */
export function aligned(
  { path }: Contract,
  given: string,
): { readonly segments: readonly string[]; readonly params: Readonly<Record<string, string>> } {
  const template = segmentsOf(path)
  const sent = segmentsOf(given)
  const params: Record<string, string> = {}
  const segments = template.map((segment, at) => {
    const own = sent[at + sent.length - template.length]
    if (!segment.startsWith('{') || own === undefined || template.includes(own)) return segment
    params[segment.slice(1, -1)] = unescaped(own)
    return own
  })
  return { segments, params }
}

/** How many segments at its beginning a path may lack, such as `/api/v2`; each counts as one letter, as does a variable. */
const FORGOTTEN = 2

function lettersApart(contract: Contract, given: string): number {
  const { segments } = aligned(contract, given)
  const without = (at: number) => segments.filter((_, place) => place !== at)
  const variables = segmentsOf(contract.path).flatMap((segment, at) => (segment.startsWith('{') ? [at] : []))
  const apart = [
    ...Array.from({ length: FORGOTTEN + 1 }, (_, lacking) => [segments.slice(lacking), lacking] as const),
    ...variables.map((at) => [without(at), 1] as const),
  ].map(([left, lacking]) => distance(`/${left.join('/')}`, given) + lacking)
  return Math.min(...apart)
}

function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
