import { distance } from 'fastest-levenshtein'

/** How many letters differ between two words, in any letter case; the same letters in another order are one slip. */
export function lettersApart(one: string, other: string): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()]
  const steps = distance(left, right)
  return steps > 1 && left.length === right.length && sorted(left) === sorted(right) ? 1 : steps
}

/** The candidate in which the fewest letters differ, at most so many; else the first that begins with the word. */
export function nearest(word: string, candidates: Iterable<string>, most: number): string | undefined {
  const all = [...candidates]
  let best: string | undefined
  let least = most + 1
  for (const candidate of all) {
    const steps = lettersApart(word, candidate)
    if (steps < least) {
      best = candidate
      least = steps
    }
  }
  // Half a name may be all that someone remembers.
  const isBeginning = (candidate: string) => candidate.toLowerCase().startsWith(word.toLowerCase())
  return best ?? (word.length < 3 ? undefined : all.find(isBeginning))
}

function sorted(word: string): string {
  return Array.from(word).sort().join('')
}
