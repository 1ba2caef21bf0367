export interface DataComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** What is wrong; the value by default. */
  readonly about?: 'key' | 'value'
}
