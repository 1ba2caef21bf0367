import { junitReport, type TestCase } from '../../text/junit.js'
import type { Finding } from './findings.js'

/** Each mutant as a JUnit test case: an unnoticed one failed, one that was not met was skipped. */
export function findingsAsJunit(mutants: readonly Finding[]): string {
  const cases = mutants.map(({ id, operation, state, due, got, rule, force }): TestCase => {
    const own = { classname: `countersign.mutate.${operation}`, name: id }
    if (state === 'notMet') return { ...own, skipped: 'The suite never asked for it.' }
    if (state === 'noticed') return own
    const text = `${rule}\ndue: ${due}\ngot: ${got}\n${force}`
    return { ...own, failure: { message: `No test noticed ${id}.`, text } }
  })
  return junitReport('countersign mutate', [{ name: 'countersign mutate', cases }])
}
