/** A call that the sandbox answers with success, as `GET examples/:operation` gives it; files in base64. */
export interface ExampleCall {
  readonly method: string
  readonly path: string
  readonly token: string
  readonly form: readonly {
    readonly name: string
    readonly value?: string
    readonly file?: { readonly filename: string; readonly type: string; readonly content: string }
  }[]
}
