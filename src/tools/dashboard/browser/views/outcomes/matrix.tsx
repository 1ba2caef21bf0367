import type { OutcomeCoverage } from '../../../../report/outcome-coverage.js'
import { linkTo } from '../../address.js'
import { Switch } from '../../parts/controls.js'
import { Status } from '../../parts/texts.js'
import { operationIn, outcomesOf, statusOf } from '../../scenarios.js'

interface CellProps {
  /** In the order in which they were switched on. */
  readonly active: readonly string[]
  readonly toggle: (name: string, on: boolean) => Promise<unknown>
}

export function Matrix({ outcomes, ...props }: CellProps & { readonly outcomes: readonly OutcomeCoverage[] }) {
  const statuses = [...new Set(outcomes.map(({ outcome }) => statusOf(outcome)))].sort((a, b) => a - b)
  const operations = [...new Set(outcomes.map(({ outcome }) => operationIn(outcome)))]
  return (
    <table class="matrix">
      <thead>
        <tr>
          <th scope="col">Operation</th>
          {statuses.map((status) => (
            <th key={status} scope="col">
              <Status of={status} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {operations.map((operation) => (
          <tr key={operation}>
            <th scope="row">
              <a href={`docs#${operation}`}>
                {operation.split(/(?=[A-Z])/).flatMap((word) => [word, <wbr key={word} />])}
              </a>
            </th>
            {statuses.map((status) => (
              <Cell key={status} of={outcomes.find(({ outcome }) => outcome === `${operation}:${status}`)} {...props} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Cell({ of, active, toggle }: CellProps & { readonly of: OutcomeCoverage | undefined }) {
  if (of === undefined) return <td class="undeclared" />
  const { outcome, count } = of
  const [operation, status] = [operationIn(outcome), statusOf(outcome)]
  const isOn = active.includes(outcome)
  // A gateway answers before outcomes; of these, the first one that is on.
  const [answering] = ['gateway', operation].flatMap((one) => outcomesOf(one, active))
  const requests = `${linkTo('requests')}?${new URLSearchParams({ operation, status: String(status) })}`
  return (
    <td class={`outcome-cell ${count === 0 ? 'uncovered' : ''} ${isOn ? 'forced' : ''}`}>
      <div>
        <Status of={status} />
        {/* A forced success is a sample that changes no state. */}
        {status >= 300 && <Switch name={outcome} on={isOn} toggle={(on) => toggle(outcome, on)} />}
        {isOn && answering !== outcome ? (
          <span class="met eclipsed" title={`${answering} answers in its place`}>
            overridden
          </span>
        ) : count === 0 ? (
          <span class="met">not met</span>
        ) : (
          <a class="met" href={requests} aria-label={`${outcome}: ${count} ×, show its requests`}>
            {count.toLocaleString()} ×
          </a>
        )}
      </div>
    </td>
  )
}
