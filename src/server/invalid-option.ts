/** An invalid option, with a message for the person who set it. */
export class InvalidOption extends Error {
  override readonly name: string = 'InvalidOption'
}
