import { LATEST_TIME } from '../contract/time.js'

export class Clock {
  #offset = 0

  /** `frozenAt`: milliseconds since 1970; undefined for a running clock. */
  constructor(
    private frozenAt: number | undefined,
    private readonly changed: () => void,
  ) {}

  reset(start: number | undefined): void {
    this.frozenAt = start
    this.#offset = 0
    this.changed()
  }

  get isFrozen(): boolean {
    return this.frozenAt !== undefined
  }

  now(systemTime = Date.now()): number {
    return this.frozenAt ?? Math.min(systemTime + this.#offset, LATEST_TIME)
  }

  offset(): number {
    return this.frozenAt === undefined ? this.#offset : this.frozenAt - Date.now()
  }

  iso(ms = 0): string {
    return new Date(Math.min(this.now() + ms, LATEST_TIME)).toISOString()
  }

  /** @throws {RangeError} for a time that is not from 1970 to 9999 */
  set(now: number, isFrozen: boolean, systemTime = Date.now()): void {
    if (!(now >= 0 && now <= LATEST_TIME))
      throw new RangeError(`The clock takes times from 1970 to 9999, not ${now} ms since 1970.`)
    this.frozenAt = isFrozen ? now : undefined
    this.#offset = now - systemTime
    this.changed()
  }
}
