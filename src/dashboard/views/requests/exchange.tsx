import type { ExchangeEntry } from '../../../world/journal/entry.js'
import { callText } from '../../api.js'
import { useFresh } from '../../fresh.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Duration, Method, Path, Status, Time } from '../../parts/marks.js'
import { Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import { Corrected } from './corrected.js'
import { FromNowOn } from './from-now-on.js'
import { AnswerPart, RequestPart } from './parts.js'
import { SendAgain } from './send-again.js'
import { Deviations, Violations } from './violations.js'

/** What an exchange can be copied as; the names are those of the API's formats. */
const FORMATS = ['curl', 'fetch', 'scenario', 'test'] as const

/** One exchange with all its parts. */
export function ExchangePanel({ id }: { readonly id: string }) {
  const path = `requests/${encodeURIComponent(id)}`
  const { data: exchange, failure } = useFresh<ExchangeEntry>(path, ['journal'])
  return (
    <Panel title={<Title id={id} exchange={exchange} />} of={id} back={['requests']}>
      {failure?.status === 404 ? <Gone id={id} /> : <Problem failure={failure} />}
      {exchange && (
        <>
          <Summary exchange={exchange} />
          {exchange.violations.some(({ corrected }) => corrected !== undefined) && (
            <Corrected key={id} exchange={exchange} />
          )}
          <p class="copies">
            <span class="quiet">Copy as</span>
            {FORMATS.map((format) => (
              <CopyButton key={format} name={format} text={() => callText(`${path}?format=${format}`)} />
            ))}
          </p>
          <div class="copies" key={id}>
            <FromNowOn exchange={exchange} />
            <SendAgain exchange={exchange} />
          </div>
          <Violations of={exchange.violations} />
          <Deviations of={exchange.deviations} />
          <RequestPart exchange={exchange} />
          <AnswerPart exchange={exchange} />
          <section>
            <h3>Why</h3>
            {!exchange.violations.some(({ message }) => exchange.trace.why.includes(message)) && (
              <p>
                <bdi>{exchange.trace.why}</bdi>
              </p>
            )}
            <p class="quiet">
              Answered by the step <code>{exchange.trace.answeredBy}</code>, cause <code>{exchange.cause}</code>.
            </p>
          </section>
        </>
      )}
    </Panel>
  )
}

function Title({ id, exchange }: { readonly id: string; readonly exchange: ExchangeEntry | undefined }) {
  if (exchange === undefined) return <>Exchange {id}</>
  return (
    <>
      <Method name={exchange.method} /> <Path of={exchange.url.replace(/\?.*$/s, '')} />
    </>
  )
}

function Summary({ exchange }: { readonly exchange: ExchangeEntry }) {
  const { id, at, status, outcome, cause, duration, response } = exchange
  return (
    <p class="summary">
      <Status status={status} fault={response?.fault ?? null} />
      <code>{outcome ?? response?.fault ?? 'no operation'}</code>
      <span class="quiet">{cause}</span>
      <span class="quiet">
        <Duration of={duration} />
      </span>
      <span class="quiet">
        {id} at <Time at={at} day />
      </span>
    </p>
  )
}

function Gone({ id }: { readonly id: string }) {
  return (
    <div class="nothing" role="status">
      <p>
        Exchange <bdi>{id}</bdi> is no longer in the journal: the journal was cleared, or newer exchanges replaced it.
      </p>
      <p>
        <a href="#/requests">Back to the list</a>
      </p>
    </div>
  )
}
