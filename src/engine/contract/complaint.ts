/** A complaint about data of the user's, at a path in it. */
export interface DataComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Which of the two is wrong; the value if it is not said. */
  readonly about?: 'key' | 'value'
}
