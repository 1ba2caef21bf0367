import type { Settings } from '../../world/settings.js'

/** Something that can be listed: data, and how it is told in columns. */
export interface List {
  readonly data: (settings: Settings) => Promise<readonly object[]> | readonly object[]
  /** The lines of one of the data, each as columns. */
  readonly lines: (one: never) => readonly (readonly string[])[]
}

/** Ties the lines of a list to its data. */
export function defineList<T extends object>(
  data: (settings: Settings) => Promise<readonly T[]> | readonly T[],
  lines: (one: T) => readonly (readonly string[])[],
): List {
  return { data, lines }
}
