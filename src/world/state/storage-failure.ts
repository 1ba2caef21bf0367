/** A change could not be stored; what was stored before is untouched. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}

/** Why a file is not written, and what helps, both as parts of a sentence. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly remedy: string

  constructor(why: string, remedy: string) {
    super(why)
    this.remedy = remedy
  }
}
