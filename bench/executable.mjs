// How fast the executable starts, beside `node dist/cli.js`: `node bench/executable.mjs [FILE]`, after `npm run executable`.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstAnswer } from './startup.mjs'
import { median, spread, table } from './statistics.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5) * 3
const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const executable = process.argv[2] ?? `${dist}countersign`
const served = ['start', '--port', '0']
const place = mkdtempSync(join(tmpdir(), 'countersign-bench-'))

/** Each in turn, with a home that all rounds share or one of its own; `undefined` is none at all. */
const shared = join(place, 'shared')
const starts = {
  'node dist/cli.js': { command: [process.execPath, `${dist}cli.js`], caches: () => shared },
  'executable, later starts': { command: [executable], caches: () => shared },
  'executable, first start': { command: [executable], caches: (round) => join(place, String(round)) },
  'executable, no cache': { command: [executable], caches: () => undefined },
}

try {
  const times = Object.fromEntries(Object.keys(starts).map((name) => [name, []]))
  // The first round makes what later starts find.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, { command, caches }] of Object.entries(starts)) {
      const env = { TMPDIR: place, ...(caches(round) && { XDG_CACHE_HOME: caches(round) }) }
      const took = await firstAnswer([...command, ...served], { env, end: 'SIGTERM' })
      if (round > 0) times[name].push(took)
    }
  }
  const rows = Object.entries(times).map(([name, values]) => ({
    what: name,
    'spawn to first answer, ms': median(values).toFixed(0),
    spread: spread(values.map((value) => Math.round(value))),
  }))
  console.log(`Node ${process.version}, ${(statSync(executable).size / 1e6).toFixed(0)} MB\n\n${table(rows)}`)
} finally {
  rmSync(place, { recursive: true, force: true })
}
