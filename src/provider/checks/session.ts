import type { Contract } from '../../../schemas/contract.js'
import { type Call, type Request, type Token, USER } from '../calls/call.js'
import type { Client } from '../calls/client.js'
import type { Answer } from '../calls/send.js'
import type { Values } from '../calls/values.js'
import type { Findings } from './findings.js'

/** What checks and learners work with. */
export interface Session {
  /** Under the readings in force. */
  readonly contracts: readonly Contract[]
  readonly client: Client
  readonly values: Values
  readonly findings: Findings
  readonly allowWrites: boolean
  readonly hasSecondToken: boolean
  /** Whether what the requests name is known to exist there. */
  isKnown(contract: Contract): boolean
  /** Whether they name what the default world has, and a read has shown that it is there. */
  isDefault(contract: Contract): boolean
}

/** Sends a call of an operation: what `values` has for it, changed by `change`, by default as the user. */
export function send(
  session: Session,
  contract: Contract,
  change: (complete: Request) => Request = (complete) => complete,
  { token = USER, again }: { readonly token?: Token | null; readonly again?: number } = {},
): Promise<Answer> {
  return sendRequest(session, contract, change(session.values.complete(contract)), { token, again })
}

/** Sends a call of an operation that is written out. */
export function sendRequest(
  { client }: Session,
  contract: Contract,
  request: Request,
  { token = USER, again }: { readonly token?: Token | null; readonly again?: number | undefined } = {},
): Promise<Answer> {
  const call: Call = { contract, token, ...request, ...(again !== undefined && { again }) }
  return client.send(call)
}

export const isSuccess = ({ status }: Pick<Answer, 'status'>) => status >= 200 && status < 300
export const isRefusal = ({ status }: Pick<Answer, 'status'>) => status >= 400 && status < 500

/** A member of a body that may be anything. */
export function member(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string | number, unknown>)[key] : undefined,
    value,
  )
}

/** The items of a list that may be anything; none where it is no list. */
export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
