import type { ExchangeEntry } from '../../../world/journal/entry.js'
import { useAdminQuery } from '../../admin-query.js'
import { callText } from '../../api.js'
import { visible } from '../../parts/code.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Duration, Method, Path, Status, Time } from '../../parts/marks.js'
import { Gone, Panel } from '../../parts/panel.js'
import { Problem } from '../../parts/problem.js'
import { reasonFor } from '../../parts/reason.js'
import type { OpenedExchange } from '../../shapes.js'
import { Corrected } from './corrected.js'
import { LikeThis } from './like-this.js'
import { AnswerPart, Folded, RequestPart } from './parts.js'
import { SendAgain } from './send-again.js'
import { Deviations, Violations } from './violations.js'

/** What an exchange can be copied as; the names are those of the API's formats. */
const FORMATS = ['curl', 'fetch', 'scenario', 'test'] as const

/** One exchange with all its parts. */
export function ExchangePanel({ id }: { readonly id: string }) {
  const path = `requests/${encodeURIComponent(id)}`
  const { data: exchange, failure } = useAdminQuery<OpenedExchange>(path, ['journal'])
  const reason = exchange ? reasonFor({ ...exchange, why: exchange.trace.why }) : ''
  return (
    <Panel
      title={
        exchange === undefined ? (
          `Exchange ${id}`
        ) : (
          <>
            <Method name={exchange.method} /> <Path of={exchange.url.replace(/\?.*$/s, '')} />
          </>
        )
      }
      of={id}
      back={['requests']}
    >
      {failure?.status === 404 ? (
        <Gone back={['requests']}>
          Exchange <bdi>{id}</bdi> is no longer in the journal: the journal was cleared, or newer exchanges replaced it.
        </Gone>
      ) : (
        <Problem failure={failure} />
      )}
      {exchange && (
        <>
          <Summary exchange={exchange} reason={reason} />
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
            <SendAgain exchange={exchange} />
          </div>
          <Violations of={exchange.violations} said={reason} />
          <Deviations of={exchange.deviations} />
          <LikeThis key={`next ${id}`} exchange={exchange} />
          <RequestPart exchange={exchange} />
          <AnswerPart exchange={exchange} />
          <Folded
            title="Details"
            of={{
              exchange: exchange.id,
              cause: exchange.cause,
              step: exchange.trace.answeredBy,
              sandbox: exchange.sandbox ?? 'none',
            }}
          />
        </>
      )}
    </Panel>
  )
}

function Summary({ exchange, reason }: { readonly exchange: ExchangeEntry; readonly reason: string }) {
  const { at, status, outcome, duration, response } = exchange
  return (
    <>
      {reason !== '' && (
        <p class="reason">
          <bdi>{visible(reason)}</bdi>
        </p>
      )}
      <p class="summary">
        <Status status={status} fault={response?.fault ?? null} />
        <code>{outcome ?? response?.fault ?? response?.headers['x-mock-error'] ?? 'no answer'}</code>
        <span class="quiet">
          <Duration of={duration} />
        </span>
        <span class="quiet">
          <Time at={at} day />
        </span>
      </p>
    </>
  )
}
