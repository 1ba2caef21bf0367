import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './statistics.mjs'

const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
const ROUNDS = 3
const RECORDS = '200000'

/** How long a start takes with 200,000 records in each large collection, to the parsing of the same bytes as JSON. */
export async function loading() {
  const fixtures = join(mkdtempSync(join(tmpdir(), 'countersign-bench-')), 'fixtures')
  const counts = ['--credits', '--attachments', '--members', '--sub-members'].flatMap((flag) => [flag, RECORDS])
  execFileSync(process.execPath, [CLI, 'seed', '--out', fixtures, ...counts], { stdio: 'ignore' })
  const files = readdirSync(fixtures).map((name) => readFileSync(join(fixtures, name)))
  const [parsed, small, large] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    parsed.push(parsing(files))
    small.push(await start([]))
    large.push(await start(['--fixtures', fixtures]))
  }
  const took = (starts) => median(starts.map(({ milliseconds }) => milliseconds))
  const loaded = took(large) - took(small)
  return [
    {
      'JSON.parse, ms': median(parsed).toFixed(0),
      'loading, ms': loaded.toFixed(0),
      ratio: (loaded / median(parsed)).toFixed(2),
      'resident, MB': median(large.map(({ megabytes }) => megabytes)).toFixed(0),
    },
  ]
}

function parsing(files) {
  const began = performance.now()
  for (const bytes of files) JSON.parse(String(bytes))
  return performance.now() - began
}

/** From spawn until it listens. */
function start(args) {
  const began = performance.now()
  const child = spawn(process.execPath, [CLI, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve) => {
    child.stdout.once('data', () => {
      const milliseconds = performance.now() - began
      const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
      child.once('exit', () => resolve({ milliseconds, megabytes: Number(kilobytes) / 1e3 }))
      child.kill('SIGKILL')
    })
  })
}
