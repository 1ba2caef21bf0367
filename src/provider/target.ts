/** Where a provider is, as whom it is called, and how patiently. */
export interface Target {
  /** The base address, without a slash at its end. */
  readonly url: string
  readonly token: string
  /** The token of a user who may not manage sub-organization members. */
  readonly tokenWithoutPermission?: string
  /** Sent with every call, beside those that the API asks for. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** Milliseconds that each call may take, its answer's body included. */
  readonly timeout: number
  /** How often a call is sent again while the service is unavailable. */
  readonly retries: number
}

/** What of a target must not be printed. */
export function secretsOf({ token, tokenWithoutPermission = '', headers }: Target): string[] {
  return [token, tokenWithoutPermission, ...headers.map(([, value]) => value)]
}
