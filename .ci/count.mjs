// Shows what failed in a TAP stream, and ends with the line that CI reads.
import { readFileSync } from 'node:fs'

const [, , file, status, checks] = process.argv
const text = readFileSync(file, 'utf8')
const [, summary = ''] = /^# \{ (total: .*) \}$/m.exec(text) ?? []
const counts = Object.fromEntries(summary.split(', ').map((one) => one.split(': ')))
const count = (name) => Number(counts[name] ?? 0)
if (Number(status) !== 0 || summary === '')
  console.log(
    text
      .split('\n')
      .filter((line) => !/^\s*ok \d/.test(line))
      .join('\n'),
  )
else
  console.log(
    text
      .split('\n')
      .filter((line) => /^ok \d/.test(line))
      .join('\n'),
  )
// A check, or a run that ended badly without a failed assertion, is a failure of its own.
const failed = count('fail') + Number(checks) + (Number(status) !== 0 && count('fail') === 0 ? 1 : 0)
const skipped = count('skip') + count('todo')
console.log(`${count('pass')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
process.exitCode = failed > 0 || count('pass') === 0 ? 1 : 0
