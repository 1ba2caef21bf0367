import { distance } from 'fastest-levenshtein'

/** Ignores letter case; the same letters in another order count as one edit. */
export function editDistance(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  const edits = distance(left, right)
  return edits > 1 && left.length === right.length && sortLetters(left) === sortLetters(right) ? 1 : edits
}

const LONGEST = 100

export function findNearest(word: string, candidates: Iterable<string>, most: number): string | undefined {
  if (word.length > LONGEST) return undefined
  const all = Array.from(candidates, (candidate) => ({ candidate, edits: editDistance(word, candidate) }))
  const [best] = all.filter(({ edits }) => edits <= most).sort((left, right) => left.edits - right.edits)
  const completion = all.find(({ candidate }) => candidate.toLowerCase().startsWith(word.toLowerCase()))
  return (best ?? (word.length < 3 ? undefined : completion))?.candidate
}

export function wordsIn(text: string): string[] {
  return text.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/)
}

function sortLetters(word: string): string {
  return Array.from(word).sort().join('')
}
