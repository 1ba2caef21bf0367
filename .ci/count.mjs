// Prints the output of checks and tests from stdin, then the sum of their counts.
import { createInterface } from 'node:readline'

/** Number of counts, in tap's format: one each for the checks, the tests and the package. */
const EXPECTED_COUNTS = 3

let counts = 0
const sum = { pass: 0, fail: 0, skip: 0 }
for await (const line of createInterface({ input: process.stdin })) {
  console.log(line)
  if (!/^# \{ total: .* \}$/.test(line)) continue
  counts++
  for (const name in sum) sum[name] += Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0)
}
// A missing count is a failure.
sum.fail += Math.max(0, EXPECTED_COUNTS - counts)
console.log(`${sum.pass} passed, ${sum.fail} failed${sum.skip > 0 ? `, ${sum.skip} skipped` : ''}`)
process.exitCode = sum.fail > 0 || sum.pass === 0 ? 1 : 0
