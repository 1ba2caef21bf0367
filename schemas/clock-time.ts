/** The latest time that ISO 8601 writes with a year of four digits, in milliseconds since 1970. */
export const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Whether a text is an ISO 8601 time at which a clock can stand. */
export function isClockTime(text: string): boolean {
  const [day] = /^\d{4}-\d\d-\d\d(?=T|$)/.exec(text) ?? []
  // 30 February is read as 2 March.
  const exists = day !== undefined && new Date(day).toJSON()?.startsWith(day) === true
  const time = exists ? Date.parse(text) : Number.NaN
  return time >= 0 && time <= LATEST_TIME
}
