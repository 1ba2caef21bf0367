import type { Contract } from '../../../schemas/contract.js'
import { contracts, type DocumentedContract, type OperationId } from '../../../schemas/contracts.js'
import type { Handling, Operation } from './handler.js'
import * as written from './handlers/index.js'

// biome-ignore lint/suspicious/noExplicitAny: what an inspection finds is between it and its handler.
type HandlingOf<Id extends OperationId> = Handling<Extract<DocumentedContract, { readonly id: Id }>, any>

/** A missing handler, or one of another contract, does not compile. */
const handlers: { readonly [Id in OperationId]: HandlingOf<Id> } & {
  readonly [Name in keyof typeof written]: Name extends OperationId ? HandlingOf<Name> : never
} = written

export const operations: readonly Operation[] = contracts.map((contract: Contract) => {
  // The types do not know which contract it is.
  const handling = handlers[contract.id as OperationId] as unknown as Operation['handle'] | Omit<Operation, 'contract'>
  return { contract, ...(typeof handling === 'function' ? { handle: handling } : handling) }
})
