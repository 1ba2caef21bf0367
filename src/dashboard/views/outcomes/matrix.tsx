import type { OutcomeCoverage } from '../../../coverage/coverage.js'
import { Badge, provenanceLabels, Status } from '../../parts/marks.js'
import { Switch } from '../../parts/switch.js'
import type { Looked } from './last-run.js'

export interface Switches {
  readonly active: ReadonlyMap<string, boolean>
  readonly toggle: (name: string, on: boolean) => Promise<unknown>
}

interface Props extends Switches {
  readonly looked: Looked
  readonly outcomes: readonly OutcomeCoverage[]
}

/** Operations by statuses. */
export function Matrix({ outcomes, looked, active, toggle }: Props) {
  const statuses = [...new Set(outcomes.map(({ outcome }) => statusOf(outcome)))].sort((a, b) => a - b)
  const operations = grouped(outcomes)
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
        {[...operations].map(([operation, of]) => (
          <tr key={operation}>
            <th scope="row">
              <a class="matrix-link" href={`docs#${operation}`}>
                {operation.split(/(?=[A-Z])/).flatMap((word) => [word, <wbr key={word} />])}
              </a>
            </th>
            {statuses.map((status) => {
              const one = of.find(({ outcome }) => statusOf(outcome) === status)
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
  outcome: { outcome, count, provenance },
  looked,
  active,
  toggle,
}: Switches & { readonly outcome: OutcomeCoverage; readonly looked: Looked }) {
  const tried = looked.get(outcome)
  const on = active.get(outcome) ?? false
  return (
    <td class={`outcome-cell ${count === 0 ? 'uncovered' : ''} ${on ? 'forced' : ''}`}>
      <div>
        <Status status={statusOf(outcome)} />
        <Switch name={outcome} on={on} toggle={(wanted) => toggle(outcome, wanted)} />
        <span class="met">{count === 0 ? 'not met' : `${count.toLocaleString()} ×`}</span>
        {tried && (
          <span class="met" title="Mutants that the last run of mutate noticed">
            {tried.noticed} of {tried.met} noticed
          </span>
        )}
        <Badge kind={provenance} text={provenanceLabels[provenance]} />
      </div>
    </td>
  )
}

function grouped(outcomes: readonly OutcomeCoverage[]): ReadonlyMap<string, readonly OutcomeCoverage[]> {
  const groups = new Map<string, OutcomeCoverage[]>()
  for (const one of outcomes) {
    const operation = one.outcome.replace(/:\d+$/, '')
    groups.set(operation, [...(groups.get(operation) ?? []), one])
  }
  return groups
}

function statusOf(outcome: string): number {
  return Number(/\d+$/.exec(outcome)?.[0])
}
