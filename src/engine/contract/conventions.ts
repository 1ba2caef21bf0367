import type { TSchema } from '@sinclair/typebox'
import type { Cite, Cites } from './cites.js'

/** A request header that may carry the user token. */
export interface TokenHeader {
  readonly name: string
  /** As messages write the header, such as `Authorization`. */
  readonly label: string
  readonly scheme?: 'Bearer'
  /** Its own statement first. */
  readonly cites: Cites
  /** The security scheme of the OpenAPI document. */
  readonly security: { readonly name: string; readonly description: string }
}

/** How the body of an error holds its message. */
export interface Envelope {
  readonly schema: TSchema
  readonly body: (status: number, message: string) => unknown
}

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
  readonly errorBody: Cite
  readonly openErrorBody: Cite
  readonly unknownNames: Cite
  readonly repeatedNames: Cite
  readonly addresses: Cite
  readonly emptyFields: Cite
  readonly times: Cite
  /** The first header that a request has counts. */
  readonly tokenHeaders: readonly TokenHeader[]
  /** By permission, the basis of requiring it. */
  readonly permissions: Readonly<Record<string, Cites>>
  readonly envelope: Envelope
}
