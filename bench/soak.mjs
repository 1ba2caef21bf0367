// Puts load of many kinds on the built server, and fails when its memory or its descriptors climb, or stay.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { complaintsOf } from './soak/bounds.mjs'
import { BODY_LIMIT, phasesWith, warmUp } from './soak/phases.mjs'
import { runPhase } from './soak/run-phase.mjs'
import { startServed } from './soak/served.mjs'
import { table } from './statistics.mjs'

const MINUTE = 60_000
/** The shortest phase in which all fills up by the middle; the longest run that bounds of one phase are meant for. */
const SHORTEST_PHASE = 8_000
const MOST_MINUTES = 24 * 60
/** Exchanges kept a journal: few, so that the journals are full by the middle of a phase. */
const JOURNAL_SIZE = 100
/** What the run may take beside its phases, all told, before it is broken off. */
const MOST_BESIDE = 5 * MINUTE

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '2' }, only: { type: 'string', default: '' } },
})
const minutes = Number(values.minutes)
if (!(minutes > 0 && minutes <= MOST_MINUTES)) throw new Error(`--minutes must be from 0 to ${MOST_MINUTES}.`)

setTimeout(() => giveUp('it takes too long'), minutes * MINUTE * 2 + MOST_BESIDE).unref()
const folder = mkdtempSync(join(tmpdir(), 'countersign-soak-'))
const stateFile = join(folder, 'state')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

const phases = phasesWith(stateFile).filter(({ name }) => name.includes(values.only))
const milliseconds = Math.max(SHORTEST_PHASE, (minutes * MINUTE) / (phases.length + 1))
const server = await startServed([
  ...['--body-limit', String(BODY_LIMIT), '--journal-size', String(JOURNAL_SIZE), '--persist', stateFile],
])
const { after: baseline } = await runPhase(server, warmUp, milliseconds)
const results = []
for (const phase of phases) results.push(await judged(phase))
await server.stop()

console.log(`\n${table(results.map(({ row }) => row))}\n`)
const complaints = results.flatMap((one) => one.complaints)
for (const complaint of complaints) console.log(complaint)
console.log(complaints.length === 0 ? 'Nothing climbs, and all comes back.' : `Complaints: ${complaints.length}`)
process.exitCode = complaints.length === 0 ? 0 : 1

/** Runs a phase, and says what is wrong with it. */
async function judged(phase) {
  const seen = await runPhase(server, phase, milliseconds, baseline)
  const least = (phase.least * milliseconds) / MINUTE
  const complaints = [
    ...complaintsOf(seen, baseline),
    ...seen.complaints,
    ...[...seen.failures].map(([message, times]) => `${times} times: ${message}`),
    ...(seen.turns < least ? [`${seen.turns} turns are too few to show anything: at least ${least.toFixed(0)}`] : []),
  ].map((complaint) => `${phase.name}: ${complaint}`)
  return { row: rowOf(phase, seen, complaints), complaints }
}

function rowOf({ name }, { turns, middle, end, after, peak }, complaints) {
  const of = (what) => [middle, end, after].map((usage) => usage[what].toFixed(0)).join(' → ')
  return {
    phase: name,
    turns,
    'resident, MiB': of('resident'),
    'heap, MiB': of('heap'),
    descriptors: of('descriptors'),
    'peak, MiB': peak.toFixed(0),
    verdict: complaints.length === 0 ? 'ok' : 'climbs or stays',
  }
}

function giveUp(why) {
  console.log(`The soak test was broken off: ${why}.`)
  process.exit(1)
}
