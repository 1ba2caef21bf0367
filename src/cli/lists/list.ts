import type { Settings } from '../../world/settings.js'

/** A list: its data, and how to print it in columns. */
export interface List {
  readonly data: (settings: Settings) => Promise<readonly object[]> | readonly object[]
  /** The lines for one item, each as columns. */
  readonly lines: (one: never) => readonly (readonly string[])[]
}

/** Defines a list with its data and its lines. */
export function defineList<T extends object>(
  data: (settings: Settings) => Promise<readonly T[]> | readonly T[],
  lines: (one: T) => readonly (readonly string[])[],
): List {
  return { data, lines }
}
