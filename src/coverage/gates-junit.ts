import { junitReport, type TestCase } from '../text/junit.js'
import { type GateFailure, nameOf, sentencesOf } from './gate-failure.js'
import type { Gates } from './gates.js'

/** The gates as JUnit test cases: one for each that is set, with its failures. */
export function gatesAsJunit(failures: readonly GateFailure[], gates: Gates): string {
  const names = [
    ...gates.failOn,
    ...(gates.require.length > 0 ? ['require'] : []),
    ...(gates.minCoverage > 0 ? ['min-coverage'] : []),
  ]
  const cases = names.flatMap((gate): TestCase[] => {
    const classname = `countersign.${gate}`
    const own = failures.filter((one) => one.gate === gate)
    if (own.length === 0) return [{ classname, name: gate }]
    return own.map((one) => {
      const text = sentencesOf(one).join(' ')
      return { classname, name: nameOf(one), failure: { message: text, text } }
    })
  })
  return junitReport('countersign', [{ name: 'countersign', cases }])
}
