// Runs the tests that draw their input, each in turn and with new draws, until the time is over:
//   npm run fuzz -- --minutes 30 [FILE…]
// A test that fails is printed whole, with its seed and the shortest input, and is not run again. Then the exit code is 1.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

/** How many times as many draws as in the test suite. */
const TIMES = '10'
const { values, positionals } = parseArgs({
  options: { minutes: { type: 'string', default: '10' } },
  allowPositionals: true,
})
const end = Date.now() + Number(values.minutes) * 60_000
if (Number.isNaN(end)) throw new Error(`--minutes must be a number, not '${values.minutes}'.`)

const files = new Set(positionals.length > 0 ? positionals : drawing())
for (let round = 1; Date.now() < end && files.size > 0; round++) {
  for (const file of files) {
    if (Date.now() >= end) break
    const seed = Math.floor(Math.random() * 2 ** 31)
    const { code, output } = await run(file, seed)
    console.log(`${code === 0 ? '✓' : '✗'} ${file} (round ${round}, seed ${seed})`)
    if (code === 0) continue
    console.log(output)
    console.log(`Again: FUZZ_SEED=${seed} FUZZ_TIMES=${TIMES} npm test -- ${file}\n`)
    files.delete(file)
    process.exitCode = 1
  }
}

/** The tests of properties. */
function drawing() {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((name) => join('test', name))
    .filter((name) => name.endsWith('.test.ts') && /\bholds\(/.test(readFileSync(name, 'utf8')))
    .sort()
}

function run(file, seed) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['test/run/index.mjs', file], {
      env: { TAP_TIMEOUT: '3600', ...process.env, FUZZ_SEED: String(seed), FUZZ_TIMES: TIMES },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', reject).on('close', (code) => resolve({ code, output }))
  })
}
