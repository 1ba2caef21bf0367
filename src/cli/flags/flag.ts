/** A flag that a command has of its own. */
export interface Flag {
  /** What its value is called, such as FILE; a flag without it takes none. */
  readonly value?: string
  /** May be given several times. */
  readonly several?: true
  readonly does: string
}

/** The flags that a command has of its own, by their names without dashes. */
export type FlagTable = Readonly<Record<string, Flag>>

/** A flag as it is written on a command line. */
export function written(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

/** What is said of a flag. */
export function description({ several, does }: Flag): string {
  return several ? `${does} Repeatable.` : does
}
