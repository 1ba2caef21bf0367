export interface Result {
  readonly name: string
  readonly passed: number
  readonly seconds: number
}

export declare function runSubject(subject: { readonly name: string; readonly file: string }): Promise<Result>
