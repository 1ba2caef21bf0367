import type { ClockView } from '../../../../engine/http/admin/clock.js'
import { counted } from './texts.js'

const UNITS = { day: 86_400_000, hour: 3_600_000, minute: 60_000, second: 1_000 }

const minute = { hour: '2-digit', minute: '2-digit' } as const
const timeOfDay = new Intl.DateTimeFormat('en-GB', { ...minute, second: '2-digit' })
const dayAndMinute = new Intl.DateTimeFormat('en-GB', { ...minute, day: 'numeric', month: 'short' })

export function describeTime(at: string): string {
  const time = new Date(at)
  return (time.toDateString() === new Date().toDateString() ? timeOfDay : dayAndMinute).format(time)
}

export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {describeTime(at)}
    </time>
  )
}

/** `frozen at 15 Jan, 09:30`, `2 days ahead`, or empty. */
export function describeClock({ now, frozen, offset }: ClockView): string {
  return frozen ? `frozen at ${dayAndMinute.format(new Date(now))}` : describeOffset(offset)
}

export function describeOffset(offset: number): string {
  return offset === 0 ? '' : `${describeDuration(Math.abs(offset))} ${offset > 0 ? 'ahead' : 'behind'}`
}

function describeDuration(ms: number): string {
  for (const [unit, length] of Object.entries(UNITS)) {
    // An offset may be a moment short.
    if (ms >= 0.99 * length) return counted(Math.round(ms / length), unit)
  }
  return 'less than a second'
}
