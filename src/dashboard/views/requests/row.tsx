import { Component } from 'preact'
import type { ExchangeSummary } from '../../../world/journal/entry.js'
import { linkTo } from '../../address.js'
import { counted, Duration, Line, Method, Status, Time } from '../../parts/marks.js'
import { reasonFor } from '../../parts/reason.js'

interface Props {
  readonly exchange: ExchangeSummary
  readonly current: boolean
}

/** One exchange in the list; drawn once, since there may be a thousand. After a reset, ids begin anew. */
export class ExchangeRow extends Component<Props> {
  override shouldComponentUpdate({ exchange, current }: Props): boolean {
    const { props } = this
    return exchange.id !== props.exchange.id || exchange.at !== props.exchange.at || current !== props.current
  }

  override render({ exchange, current }: Props) {
    const { id, at, method, url, status, fault, outcome, problem, duration, violations, deviations } = exchange
    const reason = reasonFor(exchange)
    return (
      <li>
        <a href={linkTo('requests', id)} aria-current={current ? 'true' : undefined}>
          <span class="at">
            <Time at={at} />
          </span>
          <Status status={status} fault={fault} />
          <span class="what">
            <Method name={method} /> <Url of={url} />
          </span>
          <span class="outcome">
            <Line text={outcome ?? problem ?? fault ?? 'no operation'} />
          </span>
          <span class="duration quiet">
            <Duration of={duration} />
          </span>
          {(reason !== '' || deviations > 0) && (
            <span class="flaws">
              <Flaws violations={violations} deviations={deviations} />
              <Line text={reason} />
            </span>
          )}
        </a>
      </li>
    )
  }
}

/** A URL on one line, what it asks for in front of how. */
function Url({ of }: { readonly of: string }) {
  const [path = '', ...query] = of.split('?')
  return (
    <span class="line-text">
      <Line text={path} />
      {query.length > 0 && (
        <span class="quiet">
          <Line text={`?${query.join('?')}`} />
        </span>
      )}
    </span>
  )
}

function Flaws({ violations, deviations }: Pick<ExchangeSummary, 'violations' | 'deviations'>) {
  const expected = violations.length > 0 && violations.every((one) => one.expected)
  return (
    <>
      {violations.length > 0 && (
        <span class={`flaw ${expected ? 'expected' : (violations[0]?.basis ?? '')}`}>
          {counted(violations.length, 'violation')}
          {expected && ', expected'}
        </span>
      )}
      {deviations > 0 && <span class="flaw deviation">{counted(deviations, 'deviation')}</span>}
    </>
  )
}
