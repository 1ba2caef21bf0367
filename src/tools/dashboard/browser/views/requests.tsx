import { useMemo } from 'preact/hooks'
import { readableUrl } from '../../../../engine/judge/decode.js'
import { callAdmin, useAdminQuery } from '../admin.js'
import { type ListedExchange, MAX_LISTED, useJournal, useSearch } from '../journal.js'
import { apiFacts, currentSandbox, linkTo, urlOfSandbox, useFilter } from '../page.js'
import { CopyButton, commandFor, type ExampleCall, LanguageSwitch, useLanguage } from '../parts/call-buttons.js'
import { Action, Button, Choice } from '../parts/controls.js'
import { ListView, Row } from '../parts/list.js'
import { Code, Line, pluralize, Section, Status, statusText, Time, Waiting } from '../parts/texts.js'
import { ExchangePanel } from './requests/exchange.js'
import { reasonFor } from './requests/flaws.js'

const NO_FILTER = { operation: '', status: '', violations: '', search: '' }

export function Requests({ address: [open] }: { readonly address: readonly string[] }) {
  const [filter, set] = useFilter(NO_FILTER)
  const { all, isKnown, failure } = useJournal()
  const searched = useSearch(filter.search, all)
  const found = searched.found.filter(
    (exchange) =>
      (filter.operation === '' || operationOf(exchange) === filter.operation) &&
      (filter.status === '' || statusText(exchange) === filter.status) &&
      (filter.violations === '' || exchange.violations.length > 0),
  )
  const count = pluralize(all.length, 'exchange')
  const actions = (
    <>
      <a class="button" href={linkTo('scenarios', '', '', 'recorded')}>
        Save as scenario
      </a>
      <Action label="Clear" ask="Delete all exchanges from the journal?" call={() => callAdmin('DELETE', 'requests')} />
    </>
  )
  /** A chosen value stays, even if it no longer occurs. */
  const choiceOf = (label: string, key: 'operation' | 'status', values: readonly string[]) => {
    const of = [...new Set([...values, filter[key]])].filter((one) => one !== '').sort()
    return (
      <Choice label={label} none={`${label}: any`} value={filter[key]} of={of} set={(one) => set({ [key]: one })} />
    )
  }
  const filters = (
    <>
      {choiceOf('Operation', 'operation', all.map(operationOf))}
      {choiceOf('Status', 'status', all.map(statusText))}
      <label>
        <input
          type="checkbox"
          checked={filter.violations !== ''}
          onChange={({ currentTarget }) => set({ violations: currentTarget.checked ? 'true' : '' })}
        />{' '}
        Only with violations
      </label>
    </>
  )
  const panel = open && <ExchangePanel id={open} />
  return (
    <ListView
      title="Requests"
      rowCount={found.length}
      search={filter.search}
      failure={failure ?? searched.failure}
      {...{ open, set, actions, filters, panel }}
    >
      <p class="quiet count">
        {found.length < all.length && `${found.length} of `}
        {count}
        {all.length >= MAX_LISTED && ': the newest; older ones are not shown'}
      </p>
      {isKnown && all.length === 0 && <FirstRequest />}
      {all.length > 0 && found.length === 0 && !searched.failure && (
        <p class="nothing">
          No request matches the filters. <Button label="Clear filters" act={() => set(NO_FILTER)} />
        </p>
      )}
      <ol class="rows exchanges">
        {found.map((one) => (
          <Exchange key={one.id} of={one} isOpen={one.id === open} />
        ))}
      </ol>
    </ListView>
  )
}

const operationOf = ({ operation }: ListedExchange) => operation ?? 'unmatched'

/** Memoised: there may be a thousand. */
function Exchange({ of, isOpen }: { readonly of: ListedExchange; readonly isOpen: boolean }) {
  const { id, at, method, url, fault, outcome, problem, duration, cause, why, violations, deviations } = of
  return useMemo(() => {
    const readable = readableUrl((url ?? 'not readable').replace(/^\/~[^/?]*/, ''), apiFacts.constantPairs, violations)
    const [path = '', query = ''] = readable.split(/(?=\?)(.*)/s)
    const isExpected = violations.every((one) => one.expected)
    const reason = reasonFor(cause, why, violations[0]) || (fault ?? problem ?? '')
    return (
      <Row to={linkTo('requests', id)} isOpen={isOpen}>
        <Time at={at} /> <Status of={statusText(of)} />
        <span class="what">
          <span class="method">{method}</span> <Line text={shortened(path)} />{' '}
          <Line class="quiet" text={shortQuery(query)} />
        </span>
        <Line class="off-screen" text={outcome ?? problem ?? fault ?? (duration === null ? 'pending' : 'no answer')} />
        <span class="why">
          {violations.length > 0 && (
            <span class={`flaw ${isExpected ? 'expected' : violations[0]?.basis}`}>
              {pluralize(violations.length, 'violation')}
              {isExpected && ', expected'}
            </span>
          )}{' '}
          {deviations > 0 && <span class="flaw deviation">{pluralize(deviations, 'deviation')}</span>}{' '}
          {duration === null ? <Waiting {...of} /> : <Line text={reason} />}
        </span>
        <span class="duration">{duration === null ? '' : `${Math.round(duration)} ms`}</span>
      </Row>
    )
  }, [id, at, isOpen, duration])
}

/** An open request shows the whole UUID. */
function shortened(text: string): string {
  return text.replace(/([\da-f]{8})-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi, '$1…')
}

/** UUIDs come last: other parameters distinguish requests better. */
function shortQuery(query: string): string {
  const pairs = shortened(query.slice(1)).split('&')
  const isUuid = (pair: string) => Number(pair.endsWith('…'))
  return query && `?${pairs.sort((a, b) => isUuid(a) - isUuid(b)).join('&')}`
}

function FirstRequest() {
  const language = useLanguage()
  const { data } = useAdminQuery<ExampleCall>(`examples/${apiFacts.exampleOperation}`, ['state'])
  const texts = data && {
    'Base URL': urlOfSandbox(currentSandbox),
    Token: data.token,
    'A first request': commandFor(data, language),
  }
  return (
    <div class="nothing">
      <p>No requests yet. They appear here as they arrive.</p>
      {Object.entries(texts ?? {}).map(([name, text]) => (
        <Section key={name} title={name}>
          <p class="row">
            <CopyButton name={`Copy ${name.toLowerCase()}`} text={text} />
            {name === 'A first request' && <LanguageSwitch />}
          </p>
          <Code title={name}>{text}</Code>
        </Section>
      ))}
      <p>
        The <a href="docs">documentation</a> has a form for each operation.
      </p>
    </div>
  )
}
