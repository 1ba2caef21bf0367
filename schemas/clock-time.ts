export const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** From 1970 to 9999. */
export function isClockTime(text: string): boolean {
  const [day] = /^\d{4}-\d\d-\d\d(?=T|$)/.exec(text) ?? []
  // `Date` reads 30 February as 2 March.
  const exists = day !== undefined && new Date(day).toJSON()?.startsWith(day) === true
  const time = exists ? Date.parse(text) : Number.NaN
  return time >= 0 && time <= LATEST_TIME
}
