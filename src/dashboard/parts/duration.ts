/** Units of time and their milliseconds, the longest first. */
const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 }

/** A time span in milliseconds in the largest unit that it has one of: `2 days`. */
export function durationOf(ms: number): string {
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.round(ms / length)
    if (count >= 1) return `${count.toLocaleString()} ${unit}${count === 1 ? '' : 's'}`
  }
  return 'less than a second'
}
