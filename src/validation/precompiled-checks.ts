/** Whether a value fits a schema. */
export type Fits = (value: unknown) => boolean

/** The checks that the build makes of the known schemas, in their order; none before it (scripts/precompile.mjs). */
export const checks: readonly Fits[] = []
