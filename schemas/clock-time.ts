/** The latest time that ISO 8601 writes with a year of four digits, in milliseconds since 1970. */
export const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Whether a text is an ISO 8601 time at which a clock can stand. */
export function isClockTime(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : Number.NaN
  return time >= 0 && time <= LATEST_TIME
}
