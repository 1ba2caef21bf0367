import { quote } from '../text/wording.js'
import { SANDBOX_NAME } from '../world/sandbox-name.js'
import { InvalidOption } from './invalid-option.js'

/**
 * Wraps a listener so that its errors do not disturb the server: they are thrown outside of any call.
 * @throws {InvalidOption} if the event does not exist, or the listener is not a function
 */
export function requireListener<T>(event: string, listener: (value: T) => void): (value: T) => void {
  if (event !== 'exchange') throw new InvalidOption(`There is no event ${quote(event)}. Listen to 'exchange'.`)
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

/** @throws {RangeError} if the value is not a number of milliseconds */
export function requireMilliseconds(ms: number): number {
  if (Number.isFinite(ms)) return ms
  throw new RangeError(`${quote(ms)} is not a number of milliseconds.`)
}

/** @throws {InvalidOption} if the value is not a string */
export function requireText(what: string, value: string): string {
  if (typeof value === 'string') return value
  throw new InvalidOption(`${what} must be a string, not ${quote(value)}.`)
}

/** A time in milliseconds since 1970. @throws {RangeError} if the value is not a time */
export function timeOf(now: Date | string): number {
  const time = new Date(now).getTime()
  if (Number.isNaN(time))
    throw new RangeError(`${quote(String(now))} is not a time. Pass a Date or an ISO 8601 string.`)
  return time
}

export function noMail(to: string | undefined, timeout: number): Error {
  return new Error(`No mail${to === undefined ? '' : ` to ${to}`} arrived within ${timeout} ms.`)
}

export function noPendingInvitation(email: string): Error {
  return new Error(`There is no pending invitation to ${quote(email)}.`)
}

/** @throws {InvalidOption} if the name is not valid for a sandbox */
export function requireSandboxName(name: string): string {
  if (SANDBOX_NAME.test(requireText('The name of a sandbox', name))) return name
  throw new InvalidOption(
    `${quote(name)} is not a valid sandbox name. Use 1 to 64 letters, digits, dots, hyphens and underscores.`,
  )
}
