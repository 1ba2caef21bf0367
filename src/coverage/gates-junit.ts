import { junitReport, type TestCase } from '../text/junit.js'
import { type GateFailure, nameOf, sentencesOf } from './gate-failure.js'
import { type Gates, gateNames } from './gates.js'

/** The gates as JUnit test cases: one for each that is set, with its failures; and one for a command that failed. */
export function gatesAsJunit(failures: readonly GateFailure[], gates: Gates, command?: string): string {
  const names = new Set([...gateNames(gates), ...failures.map(({ gate }) => gate)])
  const ofGates = [...names].flatMap((gate): TestCase[] => {
    const classname = `countersign.${gate}`
    const own = failures.filter((one) => one.gate === gate)
    if (own.length === 0) return [{ classname, name: gate }]
    return own.map((one) => {
      const text = sentencesOf(one).join(' ')
      return { classname, name: nameOf(one), failure: { message: text, text } }
    })
  })
  const ofCommand: TestCase[] =
    command === undefined
      ? []
      : [{ classname: 'countersign.command', name: 'command', failure: { message: command, text: command } }]
  const cases = [...ofCommand, ...ofGates]
  return junitReport('countersign', [{ name: 'countersign', cases }])
}
