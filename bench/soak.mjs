// Repeats the loads that once made the built server grow; fails if memory climbs, or is not released.
//   node bench/soak.mjs [--scale 1] [--only WORD]
// With a scale below 0.25, journals and sandboxes are not full by the middle of a load, and memory seems to climb.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { caseOf, cases, invitation } from './cases.mjs'
import { table } from './tables.mjs'

const { values: options } = parseArgs({
  options: { scale: { type: 'string', default: '1' }, only: { type: 'string', default: '' } },
})
const KIB = 1024
const MIB = 1024 * KIB

/**
 * `climb` limits growth from the middle of a load to its end, `left` growth since the start once all sandboxes are reset.
 * Two collections of the same state differ by up to 10 MiB of resident memory and 3 MiB of heap.
 */
const bounds = {
  resident: { climb: 40, left: 32 },
  heap: { climb: 12, left: 8 },
}

const small = cases.filter(({ name }) => !/KiB|MiB/.test(name))
const large = invitation({ note: 'x'.repeat(52 * KIB) })

/** Each load: its number of turns, and a function that runs a number of turns. */
const loads = {
  'mixed requests': [200_000, (turns) => requests(turns, small)],
  'sandboxes that come and go': [10_000, (turns) => requests(turns, [inSandboxes(invitation({}), Infinity)])],
  'large bodies in journals': [20_000, (turns) => requests(turns, [inSandboxes(large, 20)])],
  'persisted writes': [20_000, (turns) => requests(turns, [caseOf('updateSubOrganizationMember')])],
}

const folder = mkdtempSync(join(tmpdir(), 'countersign-soak-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const { url, usage, stop } = await startServer()
let at = 0

await requests(5_000, small)
await resetAll()
const before = await usage()
const failures = []
const rows = []
for (const [name, [turns, run]] of Object.entries(loads).filter(([name]) => name.includes(options.only))) {
  const half = Math.ceil((turns * Number(options.scale)) / 2)
  await run(half)
  const middle = await usage()
  await run(half)
  const end = await usage()
  await resetAll()
  const after = await usage()
  for (const [what, { climb, left }] of Object.entries(bounds)) {
    if (end[what] - middle[what] > climb) failures.push(`${name}: ${what} climbs by ${end[what] - middle[what]}`)
    if (after[what] - before[what] > left) failures.push(`${name}: ${what} stays up by ${after[what] - before[what]}`)
  }
  const figures = Object.keys(bounds).map((what) => [what, [middle, end, after].map((one) => one[what]).join(' → ')])
  rows.push({ load: name, turns: 2 * half, ...Object.fromEntries(figures) })
  console.error(name)
}
await stop()
console.log(`\nMiB at the start: ${JSON.stringify(before)}\n\n${table(rows)}\n`)
console.log(failures.join('\n') || 'Nothing climbs, and everything is released.')
process.exitCode = failures.length === 0 ? 0 : 1

/** Sends this amount of requests, of each kind in turn; throws if an answer has an unexpected status. */
async function requests(amount, kinds) {
  const result = await autocannon({ url, requests: kinds, connections: 8, amount, timeout: 60 })
  const expected = new Set(kinds.map(({ status }) => String(status)))
  const unexpected = Object.entries(result.statusCodeStats).filter(([status]) => !expected.has(status))
  if (unexpected.length > 0) throw new Error(`${kinds[0].name}: ${JSON.stringify(result.statusCodeStats)}`)
}

/** Sends a case to each of this number of sandboxes in turn. */
function inSandboxes(one, count) {
  return { ...one, setupRequest: (request) => ({ ...request, path: `/~soak-${at++ % count}${one.path}` }) }
}

/** Deletes all sandboxes, resets the root, and gives the server time to release memory. */
async function resetAll() {
  const { sandboxes } = await (await fetch(`${url}/__admin/sandboxes`)).json()
  for (const { name } of sandboxes) await fetch(`${url}/__admin/sandboxes/${name}`, { method: 'DELETE' })
  await fetch(`${url}/__admin/reset`, { method: 'POST' })
  await sleep(2_000)
}

/** Starts the built server with the heap of a small container; `usage` has it collect garbage first. */
async function startServer() {
  const cli = fileURLToPath(new URL('../dist/cli.js', import.meta.url))
  const collect = `data:text/javascript,process.on('message',()=>{gc();gc();process.send(process.memoryUsage().heapUsed)});process.channel.unref()`
  const node = ['--expose-gc', '--max-old-space-size=384', '--import', collect, cli, '--port', '0', '--no-watch']
  const settings = ['--journal-size', '100', '--persist', join(folder, 'state')]
  const child = spawn(process.execPath, [...node, ...settings], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const [banner] = await once(child.stdout.setEncoding('utf8'), 'data')
  child.stdout.resume()
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)
  return {
    url,
    /** Memory in MiB after garbage collection. */
    async usage() {
      child.send('collect')
      const [heap] = await once(child, 'message')
      await sleep(200)
      const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))
      return { resident: Math.round(kibibytes / KIB), heap: Math.round(heap / MIB) }
    },
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}
