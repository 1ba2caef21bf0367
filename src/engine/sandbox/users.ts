import type { TObject } from '@sinclair/typebox'
import type { CollectionDefinition } from '../files/collections.js'

/** `User` is a record of the collection. */
export interface Users<User extends object = object> {
  /** Its index `token` finds a user. */
  readonly collection: CollectionDefinition<TObject, 'token'>
  token(user: User): string
  permissions(user: User): readonly string[]
  /** A user in lists: the token and what names the user, by column. */
  row(user: User): Readonly<Record<string, string | readonly string[]>>
  caller(user: User): object
}
