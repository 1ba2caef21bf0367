import type { FilePlace } from '../text/invalid-files.js'
import { times } from './times.js'

/** One reason for which a run fails a gate, and how to fix it. */
export interface GateFailure {
  readonly gate: string
  /** The operation or outcome that it is about, if any. */
  readonly about?: string
  /** What is wrong, in a few words, such as `misnamed-field at form.rolle`. */
  readonly what: string
  readonly message: string
  /** How often it occurred; undefined if the message says so. */
  readonly count?: number
  /** The first request in which it occurred. */
  readonly request?: string
  readonly fix?: string
  /** The corrected request, as a curl line. */
  readonly corrected?: string
  /** The rule that it is based on, quoted. */
  readonly rule?: string
  /** Where it can be fixed, in one of the user's files. */
  readonly place?: FilePlace
}

/** The name of a failure: `updateSubOrganizationMember: misnamed-field at form.rolle`. */
export function nameOf({ about, what }: GateFailure): string {
  return about === undefined ? what : `${about}: ${what}`
}

/** A failure in words: what is wrong, how to fix it, and the rule. */
export function sentencesOf({ message, count, request, fix, rule }: GateFailure): string[] {
  const first = request === undefined ? '' : `, first in ${request}`
  return [
    count === undefined ? message : `${message} (${times(count)}${first})`,
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(rule === undefined ? [] : [`Rule: ${rule}`]),
  ]
}
