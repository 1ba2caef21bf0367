/** The message is for the person who set the option. */
export class InvalidOption extends Error {
  override readonly name: string = 'InvalidOption'
}
