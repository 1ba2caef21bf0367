import type { Fits } from './precompiled.js'

/** The checks that the build makes of the known schemas, in their order; none before it (scripts/precompile.mjs). */
export const checks: readonly Fits[] = []
