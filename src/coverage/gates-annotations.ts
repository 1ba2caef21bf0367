import type { Annotation } from '../text/annotation.js'
import { type GateFailure, nameOf, sentencesOf } from './gate-failure.js'

/** The failures as annotations: of the file where it can be fixed, where that is known. */
export function gatesAsAnnotations(failures: readonly GateFailure[]): Annotation[] {
  return failures.map((one) => ({
    level: 'error',
    title: `${one.gate}: ${nameOf(one)}`,
    message: sentencesOf(one).join('\n'),
    ...one.place,
  }))
}
