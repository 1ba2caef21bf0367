export class InvalidOption extends Error {
  override readonly name: string = 'InvalidOption'
}
