import type { Test } from 'tap'

/** From one length to the next: what takes time in proportion takes four times as long, what is quadratic sixteen times. */
const STEP = 4
const MOST_GROWTH = 9
/** Milliseconds below which a time says nothing: compiling the code and collecting garbage take as long. */
const LEAST = 20
/**
 * The least of several times: what else happens in this process only ever adds to one.
 * What seems to grow is measured again.
 */
const TIMES = 3

/**
 * Asserts that some work takes time in proportion to the length that it is given, up to the longest. Times are compared
 * only with each other, and they are the processor's time, not the clock's: a loaded machine changes nothing.
 */
export async function inProportion(
  t: Test,
  what: string,
  longest: number,
  work: (length: number) => unknown,
): Promise<void> {
  const lengths = [longest]
  while (lengths.length < 5) lengths.unshift(Math.ceil((lengths[0] as number) / STEP))
  let before = Number.POSITIVE_INFINITY
  const grows = (took: number) => took / Math.max(LEAST, before) > MOST_GROWTH
  for (const [at, length] of lengths.entries()) {
    let took = await leastTime(() => work(length))
    if (grows(took)) {
      before = Math.max(before, await leastTime(() => work(lengths[at - 1] as number)))
      took = Math.min(took, await leastTime(() => work(length)))
    }
    // What is quadratic is not tried with the longest, which might take for ever.
    if (grows(took)) {
      t.fail(`${what}: takes time in proportion`, { length, took, before })
      return
    }
    before = took
  }
  t.pass(`${what}: takes time in proportion`)
}

async function leastTime(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let nth = 0; nth < TIMES; nth++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1_000)
  }
  return least
}
