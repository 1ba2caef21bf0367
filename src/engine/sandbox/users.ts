import type { TObject } from '@sinclair/typebox'
import type { CollectionDefinition } from '../files/collections.js'

/** The users of an API: whose a token is, and what its user may. `User` is a record of the collection. */
export interface Users<User extends object = object> {
  /** Its index `token` finds a user. */
  readonly collection: CollectionDefinition<TObject, 'token'>
  token(user: User): string
  permissions(user: User): readonly string[]
  /** A user in lists: the token and what names the user, by column. */
  row(user: User): Readonly<Record<string, string | readonly string[]>>
  /** What the journal shows of a caller. */
  caller(user: User): object
}
