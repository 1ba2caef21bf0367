import { useEffect, useState } from 'preact/hooks'
import { useAdminQuery } from '../../admin-query.js'
import { call } from '../../api.js'
import { useAct } from '../../parts/act.js'
import { type ClockView, distanceOf } from '../../parts/clock.js'
import { Problem } from '../../parts/problem.js'

/** A day without a time. */
const DATE = /^\d{4}-\d\d-\d\d$/
const HOUR = 3_600_000
const STEPS = { '1 minute': HOUR / 60, '1 hour': HOUR, '1 day': 24 * HOUR, '30 days': 720 * HOUR }

/** The clock of this sandbox, which can be set, moved on and frozen. */
export function Clock() {
  const { data, failure: unread, refresh } = useAdminQuery<ClockView>('clock', ['clock'])
  const { run, failure } = useAct()
  const [time, setTime] = useState('')
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refresh(), 1_000)
    return () => clearInterval(timer)
  }, [])
  const put = (body: object) => run(() => call('clock', { method: 'PUT', body }).then(refresh))
  const distance = data === undefined ? '' : distanceOf(data.now)
  return (
    <section aria-labelledby="clock-title" class="clock">
      <h2 id="clock-title">Clock of this sandbox</h2>
      <Problem failure={unread} />
      {data && (
        <p class="now">
          <time dateTime={data.now}>{data.now}</time>{' '}
          <span class="quiet frozen">{data.frozen ? 'frozen' : 'running'}</span>{' '}
          <span class="quiet frozen">{distance !== '' && `${distance.replace(/ahead$/, 'ahead of')} real time`}</span>
        </p>
      )}
      <p class="buttons">
        <button type="button" onClick={() => put({ frozen: !data?.frozen })}>
          {data?.frozen ? 'Run' : 'Freeze'}
        </button>
        {(distance !== '' || data?.frozen) && (
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
          void put({ now: time.trim().replace(DATE, '$&T00:00:00Z') })
        }}
      >
        <label>
          Set to{' '}
          <input
            required
            placeholder="2025-06-01 or 2025-06-01T09:00:00Z"
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
