import type { Json } from './versions.js'

/** The name of the one example of an operation's parameters, body and success: tools pair them by it. */
export const SAMPLE = 'sample'

/** A value as that example. */
export function sampled(value: unknown): Json {
  return { examples: { [SAMPLE]: { value } } }
}
