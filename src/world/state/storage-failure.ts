/** A change could not be stored; what was stored before is untouched. */
export class StorageFailure extends Error {
  override readonly name = 'StorageFailure'
}
