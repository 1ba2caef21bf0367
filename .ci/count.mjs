// Passes on what the tests print, and ends with their count, to which it adds the examples and the checks that failed.
import { createInterface } from 'node:readline'

const failedChecks = Number(process.argv[2])
let tests
let examples
for await (const line of createInterface({ input: process.stdin })) {
  const ofTests = /^(\d+) passed, (\d+) failed(.*)$/.exec(line)
  const ofExamples = /^(\d+) examples passed, (\d+) failed$/.exec(line)
  if (ofTests) tests = ofTests
  else if (ofExamples) examples = ofExamples
  else console.log(line)
}
// Tests and examples that do not come to their count have failed.
const [, passedTests = '0', failedTests = '1', skipped = ''] = tests ?? []
const [, passedExamples = '0', failedExamples = '1'] = examples ?? []
const passed = Number(passedTests) + Number(passedExamples)
const failed = Number(failedTests) + Number(failedExamples) + failedChecks
console.log(`${passed} passed, ${failed} failed${skipped}`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
