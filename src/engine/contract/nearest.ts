import { distance } from 'fastest-levenshtein'

/** Edit distance in any letter case; the same letters in another order count as one edit. */
export function lettersApart(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  const steps = distance(left, right)
  return steps > 1 && left.length === right.length && sorted(left) === sorted(right) ? 1 : steps
}

const LONGEST = 100

export function nearest(word: string, candidates: Iterable<string>, most: number): string | undefined {
  if (word.length > LONGEST) return undefined
  const all = Array.from(candidates, (candidate) => ({ candidate, apart: lettersApart(word, candidate) }))
  const [best] = all.filter(({ apart }) => apart <= most).sort((one, other) => one.apart - other.apart)
  const begun = all.find(({ candidate }) => candidate.toLowerCase().startsWith(word.toLowerCase()))
  return (best ?? (word.length < 3 ? undefined : begun))?.candidate
}

export function wordsIn(text: string): string[] {
  return text.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/)
}

function sorted(word: string): string {
  return Array.from(word).sort().join('')
}
