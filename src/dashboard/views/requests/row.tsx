import { Component } from 'preact'
import type { ExchangeSummary } from '../../../world/journal/summary.js'
import { linkTo } from '../../address.js'
import { counted, Duration, Line, Method, Status, Time } from '../../parts/marks.js'

interface Props {
  readonly exchange: ExchangeSummary
  readonly current: boolean
}

/** One exchange in the list; drawn again only when it changes, since there may be a thousand. */
export class ExchangeRow extends Component<Props> {
  override shouldComponentUpdate({ exchange, current }: Props): boolean {
    return exchange !== this.props.exchange || current !== this.props.current
  }

  override render({ exchange, current }: Props) {
    const { id, at, method, url, status, fault, outcome, problem, cause, duration, violations, deviations } = exchange
    return (
      <li>
        <a
          href={linkTo('requests', id)}
          class={cause === 'natural' ? 'natural' : ''}
          aria-current={current ? 'true' : undefined}
        >
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
          {cause !== 'natural' && (
            <span class="cause quiet">
              <Line text={cause} />
            </span>
          )}
          <span class="duration quiet">
            <Duration of={duration} />
          </span>
          {(violations.length > 0 || deviations > 0) && (
            <span class="flaws">
              <Flaws violations={violations} deviations={deviations} />
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
      {violations[0] !== undefined && <Line text={violations[0].message} />}
      {deviations > 0 && <span class="flaw deviation">{counted(deviations, 'deviation')}</span>}
    </>
  )
}
