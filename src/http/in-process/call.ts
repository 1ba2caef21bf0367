/** A request as it is sent, which redirects change. */
export interface Call {
  readonly request: Request
  readonly url: string
  readonly method: string
  readonly body: Buffer | null
}
