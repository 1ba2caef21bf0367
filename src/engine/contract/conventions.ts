import type { TSchema } from '@sinclair/typebox'
import type { Cite, Cites } from './cites.js'

/** A request header that may carry the user token. */
export interface TokenHeader {
  /** In lower case. */
  readonly name: string
  /** As messages write it, such as `Authorization`. */
  readonly label: string
  /** The word before the token, if there is one. */
  readonly scheme?: 'Bearer'
  /** The basis of reading it, its own statement first. */
  readonly cites: Cites
  /** Its name among the security schemes of the OpenAPI document, and its description there. */
  readonly security: { readonly name: string; readonly description: string }
}

/** How the body of an error holds its message. */
export interface Envelope {
  readonly schema: TSchema
  readonly body: (status: number, message: string) => unknown
}

/** The rules for all operations of an API; those for one are cited in its contract. */
export interface Conventions {
  /** Paths start at the base address. */
  readonly baseAddress: Cite
  /** Bodies of requests are multipart forms, bodies of answers JSON. */
  readonly form: Cite
  readonly json: Cite
  readonly unreadableBody: Cite
  readonly encodings: Cite
  readonly bodyLimit: Cite
  readonly needsToken: Cite
  readonly invalidToken: Cite
  readonly unreadTokenHeader: Cite
  readonly forbidden: Cite
  readonly unexpectedError: Cite
  readonly successStatus: Cite
  /** The error body, where the document shows one, and where it leaves it open. */
  readonly errorBody: Cite
  readonly openErrorBody: Cite
  readonly unknownNames: Cite
  readonly repeatedNames: Cite
  readonly addresses: Cite
  readonly emptyFields: Cite
  readonly times: Cite
  /** The first one wins. */
  readonly tokenHeaders: readonly TokenHeader[]
  /** By permission, the basis of requiring it. */
  readonly permissions: Readonly<Record<string, Cites>>
  readonly envelope: Envelope
}
