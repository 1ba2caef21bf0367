/** A sandbox's clock. */
export interface ClockView {
  readonly now: string
  readonly frozen: boolean
}

/** Milliseconds that a clock may be off and still show real time: the answer was under way. */
const TOLERANCE = 3_000

const dayAndMinute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

/** How a clock differs from real time, such as `frozen at 15 Jan, 09:30` or `2 days ahead`; empty where it does not. */
export function describeClock({ now, frozen }: ClockView): string {
  if (frozen) return `frozen at ${dayAndMinute.format(new Date(now))}`
  return distanceOf(now)
}

/** How far a time is from now: `2 days ahead`. */
export function distanceOf(time: string): string {
  const ahead = Date.parse(time) - Date.now()
  return Math.abs(ahead) < TOLERANCE ? '' : `${durationOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`
}

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
