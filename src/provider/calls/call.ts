import type { Contract, TokenHeader } from '../../../schemas/contract.js'

/** A file that a form carries: one on disk, or some bytes. */
export interface FilePart {
  readonly content: string | Uint8Array
  readonly name: string
  readonly mediaType: string
}

/** Whose token a call carries, and in which header. */
export interface Token {
  readonly header: TokenHeader
  readonly whose: 'user' | 'nobody' | 'nobody at all' | 'user without permission'
}

/** What a call says, besides who calls. */
export interface Request {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Null where the operation has no form. */
  readonly form: Readonly<Record<string, string | FilePart>> | null
}

/** One call of an operation. */
export interface Call extends Request {
  readonly contract: Contract
  readonly token: Token | null
  /** Equal calls are sent once; another number makes it another call. */
  readonly again?: number
}

/** The user's own token, where the document puts it. */
export const USER: Token = { header: 'authorization', whose: 'user' }

/** A request without a field of its body. */
export function withoutField(request: Request, name: string): Request {
  const { [name]: _, ...form } = request.form ?? {}
  return { ...request, form }
}

/** A request with another text as a field of its body. */
export function withField(request: Request, name: string, value: string): Request {
  return { ...request, form: { ...request.form, [name]: value } }
}

/** A request with a body that has no fields. */
export function withoutFields(request: Request): Request {
  return { ...request, form: {} }
}

/** A request without a parameter of its query. */
export function withoutParameter(request: Request, name: string): Request {
  const { [name]: _, ...query } = request.query
  return { ...request, query }
}

/** What tells a call apart from others. */
export function keyOf({ contract, token, params, query, form, again = 0 }: Call): string {
  return JSON.stringify([contract.id, token, params, query, form, again])
}
