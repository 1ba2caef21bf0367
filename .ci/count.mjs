// Passes on what the tests print, and ends with their count, to which it adds the examples and the checks that failed.
import { createInterface } from 'node:readline'

const failedChecks = Number(process.argv[2])
/** The counts that have to come: of the tests, of those that take long, and of the examples. */
const EXPECTED = 3

const counts = []
for await (const line of createInterface({ input: process.stdin })) {
  const [, passed, failed, skipped = '0'] =
    /^(\d+) (?:examples )?passed, (\d+) failed(?:, (\d+) skipped)?$/.exec(line) ?? []
  if (passed !== undefined) counts.push({ passed, failed, skipped })
  console.log(line)
}
const sum = (name) => counts.reduce((total, count) => total + Number(count[name]), 0)
// What does not come to its count has failed.
const failed = sum('failed') + Math.max(0, EXPECTED - counts.length) + failedChecks
const skipped = sum('skipped')
console.log(`${sum('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 || sum('passed') === 0 ? 1 : 0
