import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../statistics.mjs'
import { isBack } from './bounds.mjs'
import { clientOf } from './connections.mjs'
import { forgetAll } from './phases.mjs'

/** Milliseconds between two looks at the server, and between two lines that are printed. */
const LOOK_EVERY = 250
const PRINT_EVERY = 3_000
/** Parts of a phase: by the middle, all that it fills is full; the end is as late as a collection allows. */
const MIDDLE = 0.45
const END = 0.9
/** Descriptors are counted over so much of the phase on both sides: for a moment, connections may wait to be taken. */
const AROUND = 0.1
/** Milliseconds until all has come back: half a head is given 8 s by the server, and looked for every second. */
const TO_COME_BACK = 15_000

/** Does to the server what a phase says, for so many milliseconds; resolves with what was seen. */
export async function runPhase(server, phase, milliseconds, baseline) {
  const client = clientOf(server.port)
  const { turn, end = nothing, release = nothing, complaint = nothing } = phase.begin({ ...client, port: server.port })
  const work = { turns: 0, failures: new Map(), until: performance.now() + milliseconds }
  const watch = watched(server, phase.name, work)
  const at = (part) => milliseconds * part
  const [middle, last] = await Promise.all([
    sleep(at(MIDDLE)).then(server.live),
    sleep(at(END)).then(server.live),
    ...Array.from({ length: phase.workers }, () => keepOn(turn, work, phase.pause)),
  ])
  watch.end()
  const around = (part) => ({ descriptors: watch.descriptors(at(part - AROUND), at(part + AROUND)) })
  const complaints = [complaint()].flat().filter((one) => one !== undefined)
  end()
  await forgetAll(client)
  client.end()
  const after = await comeBack(server, baseline)
  release()
  return {
    middle: { ...middle, ...around(MIDDLE) },
    end: { ...last, ...around(END) },
    after,
    peak: watch.peak(),
    turns: work.turns,
    failures: work.failures,
    complaints,
  }
}

function nothing() {}

/** One worker: turn after turn until the time is up. */
async function keepOn(turn, work, pause) {
  while (performance.now() < work.until) {
    try {
      await turn(work.turns++)
    } catch ({ message }) {
      work.failures.set(message, (work.failures.get(message) ?? 0) + 1)
    }
    if (pause !== undefined) await sleep(pause)
  }
}

/** Looks at the server until told to end, and prints what it sees. */
function watched(server, name, work) {
  const began = performance.now()
  const samples = []
  const looking = setInterval(() => samples.push({ at: performance.now() - began, ...server.usage() }), LOOK_EVERY)
  const printing = setInterval(() => {
    const { resident, descriptors } = server.usage()
    const figures = `${resident.toFixed(0).padStart(5)} MiB resident ${String(descriptors).padStart(6)} descriptors`
    console.log(`${name.padEnd(28)} ${figures} ${String(work.turns).padStart(7)} turns`)
  }, PRINT_EVERY)
  return {
    end() {
      clearInterval(looking)
      clearInterval(printing)
    },
    /** The most memory that was resident. */
    peak: () => Math.max(...samples.map(({ resident }) => resident)),
    /** The usual number of descriptors in a part of the time. */
    descriptors: (from, to) =>
      median(samples.filter(({ at }) => at >= from && at <= to).map(({ descriptors }) => descriptors)),
  }
}

/** The server's usage as soon as all has come back, or when that has taken too long. */
async function comeBack(server, baseline) {
  const until = performance.now() + TO_COME_BACK
  for (;;) {
    const usage = await server.live()
    if (performance.now() > until || (baseline !== undefined && isBack(usage, baseline))) return usage
    await sleep(LOOK_EVERY)
  }
}
