import type { Contract } from '../../schemas/contract.js'
import { contracts, type DocumentedContract, type OperationId } from '../../schemas/contracts.js'
import type { Handler, Operation } from './handler.js'
import * as written from './handlers/index.js'

type HandlerOf<Id extends OperationId> = Handler<Extract<DocumentedContract, { readonly id: Id }>>

/** A contract without its handler, a handler without its contract or of another one does not compile. */
const handlers: { readonly [Id in OperationId]: HandlerOf<Id> } & {
  readonly [Name in keyof typeof written]: Name extends OperationId ? HandlerOf<Name> : never
} = written

/** Every documented operation, in the document's order. */
export const operations: readonly Operation[] = contracts.map((contract: Contract) => ({
  contract,
  // Which contract it is, the types know no more.
  handler: handlers[contract.id as OperationId] as unknown as Handler<Contract>,
}))
