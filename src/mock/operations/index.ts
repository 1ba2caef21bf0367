import type { Contract } from '../../../schemas/contract.js'
import { contracts, type DocumentedContract, type OperationId } from '../../../schemas/contracts.js'
import type { Handler, Operation } from './handler.js'
import * as written from './handlers/index.js'

type HandlerOf<Id extends OperationId> = Handler<Extract<DocumentedContract, { readonly id: Id }>>

/** A missing handler, or one of another contract, does not compile. */
const handlers: { readonly [Id in OperationId]: HandlerOf<Id> } & {
  readonly [Name in keyof typeof written]: Name extends OperationId ? HandlerOf<Name> : never
} = written

export const operations: readonly Operation[] = contracts.map((contract: Contract) => ({
  contract,
  // The types do not know which contract it is.
  handler: handlers[contract.id as OperationId] as unknown as Handler<Contract>,
}))
