import type { OutcomeCoverage } from '../../../coverage/coverage.js'
import { linkTo } from '../../address.js'
import { Status } from '../../parts/marks.js'
import { Switch } from '../../parts/switch.js'
import type { Looked } from './last-run.js'

interface Switches {
  /** The names of what is on, the one that was switched on first before the others. */
  readonly active: readonly string[]
  readonly toggle: (name: string, on: boolean) => Promise<unknown>
}

interface Props extends Switches {
  readonly looked: Looked
  readonly outcomes: readonly OutcomeCoverage[]
}

/** Operations by statuses. */
export function Matrix({ outcomes, looked, active, toggle }: Props) {
  const statuses = [...new Set(outcomes.map(({ outcome }) => statusOf(outcome)))].sort((a, b) => a - b)
  const operations = new Set(outcomes.map(({ outcome }) => operationOf(outcome)))
  return (
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          {statuses.map((status) => (
            <th key={status} scope="col">
              <Status status={status} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {[...operations].map((operation) => (
          <tr key={operation}>
            <th scope="row">
              <a class="matrix-link" href={`docs#${operation}`}>
                {operation.split(/(?=[A-Z])/).flatMap((word) => [word, <wbr key={word} />])}
              </a>
            </th>
            {statuses.map((status) => {
              const one = outcomes.find(({ outcome }) => outcome === `${operation}:${status}`)
              return one === undefined ? (
                <td key={status} class="undeclared" />
              ) : (
                <Cell key={status} outcome={one} looked={looked} active={active} toggle={toggle} />
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({
  outcome: { outcome, count },
  looked,
  active,
  toggle,
}: Switches & { readonly outcome: OutcomeCoverage; readonly looked: Looked }) {
  const tried = looked.get(outcome)
  const on = active.includes(outcome)
  const eclipsed = on && eclipserOf(outcome, active)
  return (
    <td class={`outcome-cell ${count === 0 ? 'uncovered' : ''} ${on ? 'forced' : ''}`}>
      <div>
        <Status status={statusOf(outcome)} />
        {!isSuccess(outcome) && <Switch name={outcome} on={on} toggle={(wanted) => toggle(outcome, wanted)} />}
        {count === 0 ? (
          <span class="met">not met</span>
        ) : (
          <a class="met" href={requestsOf(outcome)} aria-label={`${outcome}: ${count} ×, show its requests`}>
            {count.toLocaleString()} ×
          </a>
        )}
        {eclipsed && (
          <span class="met eclipsed" title={`${eclipsed} answers in its place`}>
            does not answer
          </span>
        )}
        {tried && (
          <span class="met" title="Mutants that the last run of mutate noticed">
            {tried.noticed} of {tried.met} noticed
          </span>
        )}
      </div>
    </td>
  )
}

/** The outcome that answers in place of one that is on: of those of an operation, the first that was switched on. */
function eclipserOf(outcome: string, active: readonly string[]): string | undefined {
  const first = active.find((one) => isOutcome(one) && (operationOf(one) === operationOf(outcome) || isGateway(one)))
  return first === outcome ? undefined : first
}

/** A forced success is a sample that changes no state. */
const isSuccess = (outcome: string) => statusOf(outcome) < 300
const isOutcome = (name: string) => /:\d{3}$/.test(name)
const isGateway = (name: string) => name.startsWith('gateway:')

/** The operation of an outcome. */
export function operationOf(outcome: string): string {
  return outcome.replace(/:\d+$/, '')
}

/** The way to the requests that met an outcome. */
function requestsOf(outcome: string): string {
  return `${linkTo('requests')}?${new URLSearchParams({ operation: operationOf(outcome), status: String(statusOf(outcome)) })}`
}

function statusOf(outcome: string): number {
  return Number(/\d+$/.exec(outcome)?.[0])
}
