import type { ExchangeEntry } from '../../../../../engine/journal/entry.js'
import { isForm } from '../../../../../engine/journal/sent-request.js'
import { linkTo } from '../../address.js'
import { useAdminQuery } from '../../admin-query.js'
import { Problem } from '../../parts/controls.js'
import { Panel } from '../../parts/panel.js'
import { Status, statusText, visible } from '../../parts/texts.js'

/** What a list knows of an exchange. */
export interface Comparable {
  readonly id: string
  readonly operation: string | null
  readonly status: number | null
  readonly fault: string | null
  readonly duration: number | null
}

/** Leads to a comparison with another request of the same operation; the one before it stands first. */
export function CompareWith({
  exchange,
  all,
}: {
  readonly exchange: ExchangeEntry
  readonly all: readonly Comparable[]
}) {
  const { id, operation } = exchange
  const alike = all.filter((one) => one.operation === operation && one.id !== id)
  const earlier = alike.filter((one) => numberOf(one.id) < numberOf(id))
  const others = [...new Set([...earlier, ...alike])].slice(0, MOST)
  if (others.length === 0) return null
  return (
    <select
      aria-label="Compare with"
      value=""
      onChange={({ currentTarget }) => {
        location.hash = linkTo('requests', currentTarget.value, id)
      }}
    >
      <option value="">Compare with …</option>
      {others.map((one) => (
        <option key={one.id} value={one.id}>{`${one.id}, ${statusText(one)}`}</option>
      ))}
    </select>
  )
}

/** Requests to choose from. */
const MOST = 30

function numberOf(id: string): number {
  return Number(id.slice(1))
}

/** Two requests side by side: what differs, part by part. */
export function Comparison({ ids: [before, after] }: { readonly ids: readonly [string, string] }) {
  const first = useExchange(before)
  const second = useExchange(after)
  const [a, b] = [first.data, second.data]
  const rows = a && b ? differences(partsOf(a), partsOf(b)) : []
  return (
    <Panel title={`${before} and ${after}`} of={`${before} ${after}`} back={linkTo('requests', after)}>
      <Problem failure={first.failure ?? second.failure} />
      {a && b && (
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Part</th>
              {[a, b].map(({ id, status, duration, response }) => (
                <th key={id} scope="col">
                  <a href={linkTo('requests', id)}>{id}</a>{' '}
                  <Status of={statusText({ status, duration, fault: response?.fault ?? null })} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([part, ...values]) => (
              <tr key={part}>
                <th scope="row">
                  <bdi>{visible(part)}</bdi>
                </th>
                {values.map((value, at) => (
                  <td key={at}>{value === undefined ? <i class="quiet">not sent</i> : <bdi>{visible(value)}</bdi>}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {a && b && rows.length === 0 && <p class="nothing">The two requests are the same.</p>}
    </Panel>
  )
}

function useExchange(id: string) {
  return useAdminQuery<ExchangeEntry>(`requests/${encodeURIComponent(id)}`, ['journal'])
}

type Parts = ReadonlyMap<string, string>

/** Every part of a request by its name, as text. */
function partsOf({ method, url, request: { headers, query, params, body } }: ExchangeEntry): Parts {
  const form = isForm(body) ? body : {}
  const groups = { path: params, query, form, header: headers }
  const named = Object.entries(groups).flatMap(([group, values]) =>
    Object.entries(values).map(([name, value]): [string, string] => [`${group} ${name}`, textOf(value)]),
  )
  const whole: [string, string][] = [
    ['method', method],
    ['path', url.replace(/\?.*$/s, '')],
  ]
  return new Map([...whole, ...named, ...(typeof body === 'string' ? [['body', body] as const] : [])])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 1)
}

function differences(
  before: Parts,
  after: Parts,
): readonly (readonly [string, string | undefined, string | undefined])[] {
  const names = [...new Set([...before.keys(), ...after.keys()])]
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => [name, before.get(name), after.get(name)])
}
