export const LATEST_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export const TIME = 'an ISO 8601 time with Z or an offset such as 2026-01-15T09:30:00Z, or a date such as 2026-01-15'

const ISO_8601 = /^(\d{4}-(?:0[1-9]|1[0-2])-(?!00)\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/

/** Milliseconds since 1970; a date counts as its midnight in UTC. Undefined for other texts. */
export function timeOf(text: string): number | undefined {
  const [, day] = ISO_8601.exec(text) ?? []
  // `Date` reads 30 February as 2 March.
  if (day === undefined || (day.slice(8) > '28' && !new Date(day).toJSON()?.startsWith(day))) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

export function isClockTime(text: string): boolean {
  const time = timeOf(text)
  return time !== undefined && time >= 0 && time <= LATEST_TIME
}

const UTC_WITH_MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** In UTC, with milliseconds. */
export function utcText(time: string): string {
  return UTC_WITH_MILLISECONDS.test(time) ? time : new Date(time).toISOString()
}
