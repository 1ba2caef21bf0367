import type { TObject, TSchema } from '@sinclair/typebox'
import type { DataComplaint } from './complaint.js'
import type { Contract } from './contract.js'
import { closedObject } from './fields.js'
import { deepFreeze } from './freeze.js'

/** The values of switches, by name; one without a default may be missing. */
export type SwitchValues = Readonly<Record<string, unknown>>

/** A choice between readings of the API document where it is silent: a key under `interpretations` in the config file. */
export interface Switch {
  /** With its default, its description, and its values in words. */
  readonly schema: TSchema
  /** A contract under these values; the same one if the switch does not concern it. Handlers alone read others. */
  apply?(contract: Contract, values: SwitchValues): Contract
  check?(value: unknown): readonly DataComplaint[]
  /** The statuses that it may add to a contract, each with the value that adds it. */
  statuses?(contract: Contract): readonly (readonly [status: number, value: string])[]
}

/** By name, in the order in which they apply. */
export type Switches = Readonly<Record<string, Switch>>

export function switchesSchema(switches: Switches): TObject {
  return closedObject(Object.fromEntries(Object.entries(switches).map(([name, { schema }]) => [name, schema])))
}

export function defaultValues(switches: Switches): SwitchValues {
  const values = Object.entries(switches).map(([name, { schema }]) => [name, schema.default] as const)
  return deepFreeze(Object.fromEntries(values.filter(([, value]) => value !== undefined)))
}

/** The contracts as they are under these values. */
export function settleContracts(
  contracts: readonly Contract[],
  switches: Switches,
  values: SwitchValues,
): readonly Contract[] {
  const settle = (contract: Contract) =>
    Object.values(switches).reduce((before, one) => one.apply?.(before, values) ?? before, contract)
  return contracts.map((contract) => deepFreeze(settle(contract)))
}

/** The switches with another value than the default, as `name: value`. */
export function otherThanDefault(switches: Switches, values: SwitchValues): string[] {
  return Object.entries(switches)
    .map(([name, { schema }]) => ({ name, text: switchText(values[name]), usual: switchText(schema.default) }))
    .filter(({ text, usual }) => text !== usual)
    .map(({ name, text }) => `${name}: ${text}`)
}

/** The words for a switch without a value. */
const UNSET = "the operation's invalid status"

export function switchText(value: unknown): string {
  const given = value ?? UNSET
  return typeof given === 'string' ? given : JSON.stringify(given)
}
