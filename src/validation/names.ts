import type { TSchema } from '@sinclair/typebox'
import { distance } from 'fastest-levenshtein'
import { type Cites, citesOf } from '../../schemas/cites.js'
import { type BodyKind, bodyOf, type Contract } from '../../schemas/contract.js'
import { quote } from '../text/wording.js'
import { suspicionOf, type Violation, violationOf } from './violation.js'

/** The parts of a request whose names a client may get wrong. */
export type NamedPart = 'query' | BodyKind

/** What a name that the document does not know was meant to be. */
export type Meant =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'misnamed' | 'misplaced' | 'too-many'; readonly part: NamedPart; readonly name: string }

/**
 * The documented name that an undocumented one stands for: one of another part, one too many, or nearly another.
 * `known`: the names that there are where it stands.
 */
export function meantBy(name: string, contract: Contract, part: NamedPart, known = namesOf(contract, part)): Meant {
  const other = part === 'query' ? (bodyOf(contract)?.kind ?? 'form') : 'query'
  if (Object.hasOwn(contract[other]?.properties ?? {}, name)) return { kind: 'misplaced', part: other, name }
  const last = lastOfSeries(name, known)
  if (last !== undefined) return { kind: 'too-many', part, name: last }
  const near = alike(name, known)
  if (near !== undefined) return { kind: 'misnamed', part, name: near }
  const elsewhere = sameWords(name, namesOf(contract, other))
  return elsewhere === undefined ? { kind: 'unknown' } : { kind: 'misplaced', part: other, name: elsewhere }
}

/** Where a part's names stand in violations, what they are called, and how one is sent. */
export const PARTS = {
  query: {
    place: 'query',
    words: 'query parameter',
    kind: 'parameter',
    send: (name: string) => `in the query: ?${name}=…`,
  },
  form: { place: 'form', words: 'form field', kind: 'field', send: (name: string) => `in the form: -F '${name}=…'` },
  json: { place: 'body', words: 'body field', kind: 'field', send: (name: string) => `in the JSON body: "${name}": …` },
} as const

/**
 * The violation of a name that the document does not know in this part of a request; one that stands for no other
 * rests on `unknownCites`. `known`: the names that there are where it stands.
 */
export function unknownName(
  name: string,
  contract: Contract,
  part: NamedPart,
  unknownCites: Cites = ['I-12'],
  known: readonly string[] = namesOf(contract, part),
): Violation {
  const { place, words, kind } = PARTS[part]
  const where = `${place}.${name}`
  const subject = `The ${words} ${quote(name)} is not documented for ${contract.id}`
  const meant = meantBy(name, contract, part, known)
  switch (meant.kind) {
    case 'unknown':
      return violationOf({ code: `unknown-${kind}`, message: `${subject}.`, where, fix: 'Leave it out.' }, unknownCites)
    case 'misplaced': {
      const fix = `Send it ${PARTS[meant.part].send(meant.name)}.`
      const message = `${subject}: '${meant.name}' is a ${PARTS[meant.part].words}.`
      return suspicionOf({ code: `misplaced-${kind}`, message, where, fix })
    }
    case 'too-many': {
      const most = known.filter((one) => stemOf(one) === stemOf(name)).length
      const message = `${subject}: ${most === 1 ? `there is '${meant.name}' alone` : `there are at most ${most}, up to '${meant.name}'`}.`
      const fix = most === 1 ? `Write '${meant.name}', one a call.` : 'Leave it out.'
      return violationOf({ code: `too-many-${kind}s`, message, where, fix }, seriesCites(contract, part, meant.name))
    }
    case 'misnamed': {
      const flat = part !== 'json' && meant.name.includes('[') ? ', brackets included, as a flat name' : ''
      const message = `${subject}: it is written '${meant.name}'.`
      return suspicionOf({ code: `misnamed-${kind}`, message, where, fix: `Write '${meant.name}'${flat}.` })
    }
  }
}

/** What says how many of a series there are. */
function seriesCites(contract: Contract, part: NamedPart, name: string) {
  const schema = contract[part] as TSchema
  return citesOf(schema) ?? citesOf(schema.properties[name] ?? {}) ?? contract.cites
}

function namesOf(contract: Contract, part: NamedPart): readonly string[] {
  return Object.keys(contract[part]?.properties ?? {})
}

/** The last of the names that a name would come after: `keyword[sample_4]` after `keyword[sample_3]`. */
function lastOfSeries(name: string, known: readonly string[]): string | undefined {
  const number = numberOf(name)
  const last = known.filter((one) => stemOf(one) === stemOf(name) && numberOf(one) !== undefined).at(-1)
  return number !== undefined && last !== undefined && number > (numberOf(last) as number) ? last : undefined
}

/** The names of the series that a name belongs to, such as all keywords. */
export function seriesOf(name: string, contract: Contract, part: NamedPart): readonly string[] {
  return namesOf(contract, part).filter((one) => stemOf(one) === stemOf(name))
}

/** A name with `#` for its last number. */
function stemOf(name: string): string {
  const [start, end] = lastNumber(name)
  return start === end ? name : `${name.slice(0, start)}#${name.slice(end)}`
}

function numberOf(name: string): number | undefined {
  const [start, end] = lastNumber(name)
  return start === end ? undefined : Number(name.slice(start, end))
}

/** Where the last digits of a name stand; looked for from its end, since a pattern would look again and again. */
function lastNumber(name: string): readonly [start: number, end: number] {
  const isDigit = (at: number) => /\d/.test(name.charAt(at))
  let end = name.length
  while (end > 0 && !isDigit(end - 1)) end--
  let start = end
  while (start > 0 && isDigit(start - 1)) start--
  return [start, end]
}

function alike(name: string, known: readonly string[]): string | undefined {
  return sameWords(name, known) ?? known.find((one) => isSlipOf(wordsOf(name), wordsOf(one)))
}

/**
 * The documented name with the same words, whatever stands between them (`data.0.email`, `data[email]`, `keyword[]`,
 * `firstName`), or with the same last word, or the same first one where it has no other.
 */
function sameWords(name: string, known: readonly string[]): string | undefined {
  const words = wordsOf(name)
  if (words.length === 0) return undefined
  const fits: readonly ((one: readonly string[]) => boolean)[] = [
    (one) => one.join('') === words.join(''),
    (one) => one.length > 1 && one.at(-1) === words.at(-1),
    (one) => one.length > 1 && words.length === 1 && isSlip(words[0] as string, one[0] as string),
  ]
  for (const isNear of fits) {
    const found = known.filter((one) => isNear(wordsOf(one)))
    if (found.length > 0) return found.find((one) => numberOf(one) === numberOf(name)) ?? found[0]
  }
  return undefined
}

/** Whether the last words are nearly the same, and all before them are the same. */
function isSlipOf(words: readonly string[], known: readonly string[]): boolean {
  const [last, knownLast] = [words.at(-1), known.at(-1)]
  if (last === undefined || knownLast === undefined) return false
  return words.slice(0, -1).join() === known.slice(0, -1).join() && isSlip(last, knownLast)
}

/** Letters from which on two of a word may differ, and below which a word within another is a word of its own. */
const LONG = 7
const SHORT = 4

/** Whether a word is surely another one, mistyped: `rolle`, `mail` for `email`. A guess is no accusation. */
function isSlip(word: string, known: string): boolean {
  if (word === known) return true
  const shorter = Math.min(word.length, known.length)
  const most = Math.max(word.length, known.length) >= LONG ? 2 : 1
  const apart = sortedLetters(word) === sortedLetters(known) ? 1 : distance(word, known)
  if (apart > most || shorter < SHORT - 1) return false
  return word[0] === known[0] || (shorter >= SHORT && (word.includes(known) || known.includes(word)))
}

/** Letters in another order are one slip. */
function sortedLetters(word: string): string {
  return Array.from(word).sort().join('')
}

/** The words of a name between dots and brackets, their letters alone. */
function wordsOf(name: string): string[] {
  return name
    .toLowerCase()
    .split(/[.[\]]+/)
    .map((word) => word.replaceAll(/[^\p{L}]/gu, ''))
    .filter((word) => word !== '')
}
