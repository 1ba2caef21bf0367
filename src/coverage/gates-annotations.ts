import type { Annotation } from '../text/annotation.js'
import { type GateFailure, nameOf, sentencesOf } from './gate-failure.js'

/** The command's failure and those of gates as annotations: of the file where it can be fixed, where that is known. */
export function gatesAsAnnotations(failures: readonly GateFailure[], command?: string): Annotation[] {
  const ofCommand: Annotation[] =
    command === undefined ? [] : [{ level: 'error', title: 'countersign', message: command }]
  const ofGates = failures.map((one): Annotation => {
    return { level: 'error', title: `${one.gate}: ${nameOf(one)}`, message: sentencesOf(one).join('\n'), ...one.place }
  })
  return [...ofCommand, ...ofGates]
}
