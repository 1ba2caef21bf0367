import type { FilePlace } from '../text/invalid-files.js'
import { times } from './times.js'

/** One thing for which a run fails a gate, and how to fix it. */
export interface GateFailure {
  readonly gate: string
  /** The operation or the outcome that it is about, where it is about one. */
  readonly about?: string
  /** What is wrong, in a few words, such as `misnamed-field at form.rolle`. */
  readonly what: string
  readonly message: string
  /** How often it was; undefined where the message says it. */
  readonly count?: number
  /** The first request that had it. */
  readonly request?: string
  readonly fix?: string
  /** The request as it should have been, as a line for curl. */
  readonly corrected?: string
  /** What it rests on, quoted. */
  readonly rule?: string
  /** Where it can be fixed, in a file of the user's. */
  readonly place?: FilePlace
}

/** What a failure is called: `updateSubOrganizationMember: misnamed-field at form.rolle`. */
export function nameOf({ about, what }: GateFailure): string {
  return about === undefined ? what : `${about}: ${what}`
}

/** A failure in words: what is wrong, how to fix it, and what that rests on. */
export function sentencesOf({ message, count, request, fix, rule }: GateFailure): string[] {
  const first = request === undefined ? '' : `, first in ${request}`
  return [
    count === undefined ? message : `${message} (${times(count)}${first})`,
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(rule === undefined ? [] : [`Rule: ${rule}`]),
  ]
}
