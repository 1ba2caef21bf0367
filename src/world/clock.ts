import { LATEST_TIME } from '../../schemas/clock-time.js'

/** A time at which a clock can stand, in milliseconds since 1970. @throws {RangeError} for one that is not from 1970 to 9999 */
export function requireClockTime(time: number): number {
  if (time >= 0 && time <= LATEST_TIME) return time
  throw new RangeError(`The clock can be set from 1970 to 9999, not to ${time} ms.`)
}

/** Where clocks stand by the option `clock`, in milliseconds since 1970; undefined lets them run. */
export function clockStart(option: string): number | undefined {
  return option === 'real' ? undefined : Date.parse(option)
}

/** An ISO 8601 time in UTC, with milliseconds or without; one that no Date can tell, a leap second, stays as it is. */
export function utcText(time: string, precision: 'milliseconds' | 'seconds'): string {
  if (precision === 'milliseconds' && HAS_MILLISECONDS.test(time)) return time
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return time
  const text = date.toISOString()
  return precision === 'milliseconds' ? text : text.replace(/\.\d+Z$/, 'Z')
}

const HAS_MILLISECONDS = /\d{2}\.\d{3}Z$/

/** A world's time: running with the machine's, moved, or frozen. */
export class Clock {
  #offset = 0
  #frozenAt: number | undefined = undefined
  #revision = 0

  /** `start` in milliseconds since 1970 freezes the clock there; undefined lets it run with the machine's. */
  constructor(start?: number) {
    this.#frozenAt = start
  }

  /** Grows each time that it is set. */
  get revision(): number {
    return this.#revision
  }

  /** As new. */
  reset(start: number | undefined): void {
    this.#put(start, 0)
  }

  get frozen(): boolean {
    return this.#frozenAt !== undefined
  }

  /** Milliseconds since 1970; a clock that runs stops at the latest time. */
  now(): number {
    return this.#frozenAt ?? Math.min(Date.now() + this.#offset, LATEST_TIME)
  }

  /** ISO 8601, UTC, with milliseconds. */
  iso(): string {
    return new Date(this.now()).toISOString()
  }

  /** The time that many milliseconds from now, as `iso`; the latest time where it would be later still. */
  isoAfter(ms: number): string {
    return new Date(Math.min(this.now() + ms, LATEST_TIME)).toISOString()
  }

  /**
   * Sets the time, in milliseconds since 1970, and whether it stays there.
   * @throws {RangeError} for a time that is not from 1970 to 9999
   */
  set(now: number, frozen: boolean): void {
    const time = requireClockTime(now)
    if (frozen) this.#put(time, 0)
    else this.#put(undefined, time - Date.now())
  }

  #put(frozenAt: number | undefined, offset: number): void {
    this.#frozenAt = frozenAt
    this.#offset = offset
    this.#revision++
  }
}
