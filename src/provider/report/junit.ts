import { junitReport, type TestCase } from '../../text/junit.js'
import type { Verification } from '../verify.js'
import { countsWhenStrict, interpretationResults, type Result, sentence, statementResults } from './results.js'

/** The results as JUnit test cases: a suite for the statements, one for the interpretations. */
export function asJunit(verification: Verification, strict: boolean): string {
  const suite = (name: string, results: readonly Result[]) => ({
    name,
    cases: results.map((result) => testCase(name, result, strict)),
  })
  const unavailable = verification.unavailable.map((message) => ({
    classname: 'countersign.verify.service',
    name: 'the service is available',
    failure: { message, text: message },
  }))
  return junitReport('countersign verify', [
    suite('statements', statementResults(verification)),
    suite('interpretations', interpretationResults(verification)),
    ...(unavailable.length === 0 ? [] : [{ name: 'service', cases: unavailable }]),
  ])
}

function testCase(suite: string, { id, text, state, reason, findings }: Result, strict: boolean): TestCase {
  const head = { classname: `countersign.verify.${suite}`, name: `${id} ${text}` }
  if (state === 'unchecked') return { ...head, skipped: reason }
  const fails = state === 'drift' || (strict && findings.some(countsWhenStrict))
  if (!fails) return reason === '' ? head : { ...head, note: reason }
  const [first] = findings
  return { ...head, failure: { message: first === undefined ? reason : sentence(first), text: reason } }
}
