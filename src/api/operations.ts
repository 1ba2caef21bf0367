import { contracts, type DocumentedContract, type OperationId } from '../../schemas/contracts.js'
import type { Contract } from '../engine/contract/contract.js'
import type { Texts } from '../engine/judge/sample-call.js'
import type { Handling, Operation } from '../engine/operation.js'
import type { Sandbox } from '../engine/sandbox/sandbox.js'
import * as written from './handlers.js'

// biome-ignore lint/suspicious/noExplicitAny: what an inspection finds is between it and its handler.
type HandlingOf<Id extends OperationId> = Handling<Extract<DocumentedContract, { readonly id: Id }>, any>

/** A missing handler, or one of another contract, does not compile. */
const handlers: { readonly [Id in OperationId]: HandlingOf<Id> } & {
  readonly [Name in keyof typeof written]: Name extends OperationId ? HandlingOf<Name> : never
} = written

export const operations: readonly Operation[] = contracts.map((contract: Contract) => {
  // The types do not know which contract it is.
  const handling = handlers[contract.id as OperationId] as unknown as Handling<Contract, unknown>
  return { contract, ...handling }
})

/** The operation of a contract, whatever switches made of it. */
export function operationOf({ id }: Contract): Operation {
  return operations.find(({ contract }) => contract.id === id) as Operation
}

/** Values for the parameters of an operation that name records, as the first user of a sandbox may use them. */
export function examplesOf(contract: Contract, sandbox: Sandbox): Texts {
  const found = Object.entries(operationOf(contract).examples?.(sandbox) ?? {})
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined))
}
