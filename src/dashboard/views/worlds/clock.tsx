import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api.js'
import { useFresh } from '../../fresh.js'
import { useAct } from '../../parts/act.js'
import { durationOf } from '../../parts/duration.js'
import { Problem } from '../../parts/problem.js'

interface ClockView {
  readonly now: string
  readonly frozen: boolean
}

/** Milliseconds that a clock may be off and still go by real time: the answer was under way. */
const TOLERANCE = 3_000
const HOUR = 3_600_000
const STEPS = { '1 minute': HOUR / 60, '1 hour': HOUR, '1 day': 24 * HOUR, '30 days': 720 * HOUR }

/** The clock of this world, which can be set, moved on and frozen. */
export function Clock() {
  const { data, failure: unread, refresh } = useFresh<ClockView>('clock', ['clock'])
  const { run, failure } = useAct()
  const [time, setTime] = useState('')
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), 1_000)
    return () => clearInterval(timer)
  }, [])
  const put = (body: object) => run(() => call('clock', { method: 'PUT', body }).then(refresh))
  return (
    <section aria-labelledby="clock-title" class="clock">
      <h2 id="clock-title">Clock of this world</h2>
      <Problem failure={unread} />
      {data && (
        <p class="now">
          <time dateTime={data.now}>{data.now}</time>{' '}
          <span class="quiet frozen">{data.frozen ? 'frozen' : 'running'}</span>
          <span class="quiet frozen">{fromReal(data)}</span>
        </p>
      )}
      <p class="buttons">
        <button type="button" onClick={() => put({ frozen: !data?.frozen })}>
          {data?.frozen ? 'Run' : 'Freeze'}
        </button>
        {data && fromReal(data) !== '' && (
          <button type="button" onClick={() => put({ now: new Date().toISOString(), frozen: false })}>
            Back to real time
          </button>
        )}
        {Object.entries(STEPS).map(([label, advance]) => (
          <button key={label} type="button" onClick={() => put({ advance })} aria-label={`Advance ${label}`}>
            + {label}
          </button>
        ))}
      </p>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault()
          void put({ now: time.trim() })
        }}
      >
        <label>
          Set to{' '}
          <input
            required
            placeholder="2025-06-01T09:00:00Z"
            value={time}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setTime(currentTarget.value)}
          />
        </label>
        <button type="submit">Set</button>
      </form>
      <Problem failure={failure} />
    </section>
  )
}

/** How far the clock is from real time; empty where it runs with it. */
function fromReal({ now, frozen }: ClockView): string {
  const ahead = Date.parse(now) - Date.now()
  if (Math.abs(ahead) < TOLERANCE) return frozen ? 'at real time' : ''
  return `${durationOf(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} real time`
}
