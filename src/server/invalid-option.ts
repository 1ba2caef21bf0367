/** A wrong option on the command line, in the environment or in a call, in words for whoever set it. */
export class InvalidOption extends Error {
  override readonly name = 'InvalidOption'
}
