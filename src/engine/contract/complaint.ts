export interface DataComplaint {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly about?: 'key' | 'value'
  readonly needsText?: boolean
}
