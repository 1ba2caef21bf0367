/** Thrown for an invalid option or argument; the message is meant for the person who set it. */
export class InvalidOption extends Error {
  override readonly name: string = 'InvalidOption'
}
