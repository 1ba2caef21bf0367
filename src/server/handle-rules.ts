import { quote } from '../text/wording.js'
import { unknownOperation } from '../world/journal/filter.js'
import { SANDBOX_NAME } from '../world/sandbox-name.js'
import { InvalidOption } from './invalid-option.js'

/** Milliseconds that a mail is waited for. */
export const WAIT = 5_000

/** A time in milliseconds since 1970. @throws {RangeError} for what is no time */
export function timeOf(now: Date | string): number {
  const time = new Date(now).getTime()
  if (Number.isNaN(time)) throw new RangeError(`${quote(String(now))} is not a time: give a Date or an ISO 8601 time.`)
  return time
}

/** @throws {InvalidOption} for an operation that there is not */
export function requireOperation(operation: string | undefined, ids: readonly string[]): void {
  if (operation === undefined || ids.includes(operation)) return
  throw new InvalidOption(unknownOperation(operation, ids))
}

export function noMail(to: string | undefined, timeout: number): Error {
  return new Error(`No mail${to === undefined ? '' : ` to ${to}`} came within ${timeout} ms.`)
}

export function noPendingInvitation(email: string): Error {
  return new Error(`There is no pending invitation to ${quote(email)}.`)
}

/** @throws {InvalidOption} for what cannot name a sandbox */
export function requireSandboxName(name: string): string {
  if (SANDBOX_NAME.test(name)) return name
  throw new InvalidOption(
    `${quote(name)} is not a sandbox name: use 1 to 64 letters, digits, dots, hyphens and underscores.`,
  )
}
