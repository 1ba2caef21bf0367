import { distance } from 'fastest-levenshtein'

/** How many letters differ between two words, in any letter case; the same letters in another order are one slip. */
export function lettersApart(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  const steps = distance(left, right)
  return steps > 1 && left.length === right.length && sorted(left) === sorted(right) ? 1 : steps
}

/** Characters of a word that may be a mistyped one. */
const LONGEST = 100

/** The candidate in which the fewest letters differ, at most so many; else the first that begins with the word. */
export function nearest(word: string, candidates: Iterable<string>, most: number): string | undefined {
  if (word.length > LONGEST) return undefined
  const all = Array.from(candidates, (candidate) => ({ candidate, apart: lettersApart(word, candidate) }))
  const [best] = all.filter(({ apart }) => apart <= most).sort((one, other) => one.apart - other.apart)
  // Half a name may be all that someone remembers.
  const begun = all.find(({ candidate }) => candidate.toLowerCase().startsWith(word.toLowerCase()))
  return (best ?? (word.length < 3 ? undefined : begun))?.candidate
}

/** The words of a name or a path, also of one in camel case. */
export function wordsIn(text: string): string[] {
  return text.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/)
}

function sorted(word: string): string {
  return Array.from(word).sort().join('')
}
