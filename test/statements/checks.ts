import type { Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import type { Fixtures } from '../../schemas/fixtures.js'
import type { statements } from '../../schemas/statements.js'
import type { Server } from '../../src/server/create-server.js'
import { type Changes, send } from '../helper.js'

type Statement = (typeof statements)[number]

/** A statement of the document that the server can keep or break; the others say what is not shown. */
export type DocumentedStatementId = Exclude<Statement, { readonly notShown: true }>['id']

/** Whether the answers of a fresh server are as the statement says. */
export type Check = (server: Server, t: Test) => Promise<void>

/** A check of every statement of a section, such as `S2`: without one of them it does not compile. */
export type ChecksOf<Section extends string> = {
  readonly [Id in Extract<DocumentedStatementId, `${Section}.${string}`>]: Check
}

/** All records of the root world, as the admin API shows them. */
export async function stateOf({ app }: Server): Promise<Required<Fixtures>> {
  return (await app.inject('/__admin/state')).json()
}

/** A mail, as the admin API shows it. */
export interface Mail {
  readonly to: string
  readonly text: string
  readonly links: { readonly accept: string; readonly decline: string }
}

export async function mailsOf({ app }: Server): Promise<readonly Mail[]> {
  return (await app.inject('/__admin/outbox')).json().messages
}

export async function statusOf(server: Server, contract: Contract, changes?: Changes): Promise<number> {
  return (await send(server, contract, changes)).statusCode
}

/** A JSON value, with the type of each value in its place: `{ id: 'integer', name: 'string' }`. */
export function typesOf(value: unknown): unknown {
  if (Number.isInteger(value)) return 'integer'
  if (Array.isArray(value)) return value.map(typesOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, typesOf(one)]))
}
