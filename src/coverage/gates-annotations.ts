import type { Annotation } from '../text/annotation.js'
import { type GateFailure, nameOf, sentencesOf } from './gate-failure.js'

/** The command's failure and those of gates as annotations: of the file where it can be fixed, where that is known. */
export function gatesAsAnnotations(failures: readonly GateFailure[], command?: string): Annotation[] {
  const ofCommand: Annotation[] =
    command === undefined ? [] : [{ level: 'error', kind: 'command', title: 'countersign', message: command }]
  const ofGates = failures.map((one): Annotation => {
    const [title, message] = [`${one.gate}: ${nameOf(one)}`, sentencesOf(one).join('\n')]
    return { level: 'error', kind: one.gate, title, message, ...one.place }
  })
  return [...ofCommand, ...ofGates]
}
