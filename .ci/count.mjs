// Passes on what checks and tests print, and ends with their count.
import { createInterface } from 'node:readline'

/** The counts that have to come, as tap writes them: of the checks, of the tests, and of the package. */
const EXPECTED = 3

let counts = 0
const sum = { pass: 0, fail: 0, skip: 0 }
for await (const line of createInterface({ input: process.stdin })) {
  console.log(line)
  if (!/^# \{ total: .* \}$/.test(line)) continue
  counts++
  for (const name in sum) sum[name] += Number(new RegExp(`${name}: (\\d+)`).exec(line)?.[1] ?? 0)
}
// What does not come to its count has failed.
sum.fail += Math.max(0, EXPECTED - counts)
console.log(`${sum.pass} passed, ${sum.fail} failed${sum.skip > 0 ? `, ${sum.skip} skipped` : ''}`)
process.exitCode = sum.fail > 0 || sum.pass === 0 ? 1 : 0
