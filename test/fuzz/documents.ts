import assert from 'node:assert/strict'
import fc from 'fast-check'
import { stringify } from 'yaml'
import { InvalidOption } from '../../src/server/invalid-option.js'
import { describeComplaint, type FileComplaint, InvalidFiles } from '../../src/text/invalid-files.js'
import { type Change, changed, changesWith } from './bytes.js'
import { inTime } from './oracle.js'
import { changedValue, type ValueChange, valueChanges } from './values.js'

/** A file that is nearly right: a value that would be, its changes, and the changes of how it is written. */
export interface Mangled {
  readonly base: string
  readonly ending: 'yaml' | 'json'
  readonly values: ValueChange[]
  readonly text: Change[]
}

const MARKS =
  ': , - [ ] { } ? | > & * ! % # " \' \\ &a *a << ~ --- ... \n \n\n \t \u0000 \ufeff !!binary !!js/function 0x1 1e999 .nan .inf yes null 1_000 2026-01-15 \\u0000 \\ud800'.split(
    ' ',
  )

/** Files like these, with words that mean something in them. */
export function mangled(bases: Readonly<Record<string, unknown>>, words: readonly string[]): fc.Arbitrary<Mangled> {
  return fc.record({
    base: fc.constantFrom(...Object.keys(bases)),
    ending: fc.constantFrom('yaml', 'json'),
    values: valueChanges(words),
    text: fc.oneof(fc.constant<Change[]>([]), changesWith([...MARKS, ...words], 3)),
  })
}

/** The text of such a file. */
export function textOf(bases: Readonly<Record<string, unknown>>, { base, ending, values, text }: Mangled): Buffer {
  const value = changedValue(bases[base], values)
  return changed((ending === 'json' ? JSON.stringify(value, null, 2) : inYaml(value)) ?? '', text)
}

/** What is nested deeply is written as JSON, which is YAML too. */
function inYaml(value: unknown): string {
  try {
    return stringify(value)
  } catch {
    return JSON.stringify(value)
  }
}

/** Longer complaints are no help to anybody. */
const LONGEST_COMPLAINT = 5_000

export function checkComplaints(complaints: readonly FileComplaint[]): void {
  assert.ok(complaints.length > 0, 'it is refused without a complaint')
  for (const one of complaints) {
    assert.ok(one.message.trim().length > 5 && one.file !== '', `this says nothing: ${JSON.stringify(one)}`)
    const text = describeComplaint(one)
    assert.ok(text.length < LONGEST_COMPLAINT, `a complaint has ${text.length} characters: ${text.slice(0, 300)}`)
  }
}

/** What reading leads to; undefined where it is refused in words. */
export async function readOrRefuse<T>(read: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await inTime('reading', (async () => read())())
  } catch (error) {
    if (error instanceof InvalidFiles) return checkComplaints(error.complaints) as undefined
    if (!(error instanceof InvalidOption)) throw error
    const { length } = error.message
    assert.ok(length > 10 && length < LONGEST_COMPLAINT, `this says nothing: ${error.message}`)
    return undefined
  }
}
