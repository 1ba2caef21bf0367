import type { TSchema } from '@sinclair/typebox'
import type { Cite, Cites } from './cites.js'

export interface TokenHeader {
  readonly name: string
  readonly displayName: string
  readonly scheme?: 'Bearer'
  readonly cites: Cites
  readonly security: { readonly name: string; readonly description: string }
}

export interface Envelope {
  readonly schema: TSchema
  readonly body: (status: number, message: string) => unknown
}

/** The statement or interpretation behind each general rule. */
export interface Conventions {
  readonly baseUrl: Cite
  /** Bodies of requests are multipart forms, bodies of answers JSON. */
  readonly form: Cite
  readonly json: Cite
  readonly unreadableBody: Cite
  readonly encodings: Cite
  readonly bodyLimit: Cite
  readonly needsToken: Cite
  readonly invalidToken: Cite
  readonly wrongTokenHeader: Cite
  readonly forbidden: Cite
  readonly unexpectedError: Cite
  readonly successStatus: Cite
  readonly documentedErrorBody: Cite
  readonly assumedErrorBody: Cite
  readonly unknownNames: Cite
  readonly repeatedNames: Cite
  readonly emailAddresses: Cite
  readonly emptyFields: Cite
  readonly times: Cite
  readonly tokenHeaders: readonly TokenHeader[]
  readonly permissions: Readonly<Record<string, Cites>>
  readonly envelope: Envelope
}
