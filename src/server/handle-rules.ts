import { quote } from '../text/wording.js'
import { unknownOperation } from '../world/journal/filter.js'
import { SANDBOX_NAME } from '../world/sandbox-name.js'
import { InvalidOption } from './invalid-option.js'

/** Milliseconds that a mail is waited for. */
export const WAIT = 5_000

/**
 * A listener whose errors are its own: they are thrown where no call is under way.
 * @throws {InvalidOption} for an event that there is not, or what is no function
 */
export function requireListener<T>(event: string, listener: (value: T) => void): (value: T) => void {
  if (event !== 'exchange') throw new InvalidOption(`There is no event ${quote(event)}: listen to 'exchange'.`)
  if (typeof listener !== 'function') throw new InvalidOption(`A listener must be a function, not ${quote(listener)}.`)
  return (value) => {
    try {
      listener(value)
    } catch (error) {
      queueMicrotask(() => {
        throw error
      })
    }
  }
}

/** @throws {RangeError} for what is no number of milliseconds */
export function requireMilliseconds(ms: number): number {
  if (Number.isFinite(ms)) return ms
  throw new RangeError(`${quote(ms)} is no number of milliseconds.`)
}

/** @throws {InvalidOption} for what is no name */
export function requireText(what: string, value: string): string {
  if (typeof value === 'string') return value
  throw new InvalidOption(`${what} must be a text, not ${quote(value)}.`)
}

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

export function closedWhileWaiting(): Error {
  return new Error('The server was closed while a mail was waited for.')
}

export function noPendingInvitation(email: string): Error {
  return new Error(`There is no pending invitation to ${quote(email)}.`)
}

/** @throws {InvalidOption} for what cannot name a sandbox */
export function requireSandboxName(name: string): string {
  if (SANDBOX_NAME.test(requireText('The name of a sandbox', name))) return name
  throw new InvalidOption(
    `${quote(name)} is not a sandbox name: use 1 to 64 letters, digits, dots, hyphens and underscores.`,
  )
}
