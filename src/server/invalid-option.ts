/** Thrown for an invalid option or argument; the message is meant for the person who set it. */
export class InvalidOption extends Error {
  override readonly name: string = 'InvalidOption'
}

/** Thrown for a command or flag that does not exist. */
export class UnknownWord extends InvalidOption {}
