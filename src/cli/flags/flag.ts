/** A flag that belongs to one command. */
export interface Flag {
  /** The placeholder for its value, such as FILE; a flag without one takes no value. */
  readonly value?: string
  /** Whether it may be repeated. */
  readonly several?: true
  readonly does: string
}

/** The flags that belong to one command, by name without dashes. */
export type FlagTable = Readonly<Record<string, Flag>>

/** A flag as it is written on a command line. */
export function written(name: string, { value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`
}

/** What a flag does, in words. */
export function description({ several, does }: Flag): string {
  return several ? `${does} Repeatable.` : does
}
