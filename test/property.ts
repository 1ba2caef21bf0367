import fc, { type IRawProperty } from 'fast-check'
import type { Test } from 'tap'

/** Another seed, and so many times as many runs, for whoever wants to look longer. */
const { FUZZ_SEED, FUZZ_TIMES = '1' } = process.env

/** How often a property is checked, and by which draws. */
export interface Runs {
  readonly numRuns: number
  readonly seed: number
}

/** Checks a property with seeded runs; a failure shows the shortest list of calls that leads to it, and its seed. */
export async function holds<Ts>(
  t: Test,
  name: string,
  property: IRawProperty<Ts>,
  { numRuns, seed }: Runs,
): Promise<void> {
  const runs = { numRuns: numRuns * Number(FUZZ_TIMES), seed: FUZZ_SEED === undefined ? seed : Number(FUZZ_SEED) }
  const result = await fc.check(property, runs)
  if (!result.failed) return t.pass(`${name} (${result.numRuns} runs)`) as unknown as undefined
  t.fail(name, {
    error: String((result.errorInstance as Error | undefined)?.message ?? 'it did not end'),
    calls: (result.counterexample as readonly unknown[] | null)?.map((one) =>
      Array.isArray(one) ? one.map((call) => JSON.stringify(call)) : JSON.stringify(one),
    ),
    seed: result.seed,
    path: result.counterexamplePath,
  })
}
