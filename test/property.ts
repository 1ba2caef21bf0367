import fc, { type IRawProperty, type Parameters } from 'fast-check'
import type { Test } from 'tap'

/** Checks a property with seeded runs; a failure shows the shortest list of calls that leads to it, and its seed. */
export async function holds<Ts>(
  t: Test,
  name: string,
  property: IRawProperty<Ts>,
  parameters: Parameters<Ts>,
): Promise<void> {
  const result = await fc.check(property, parameters)
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
