import type { Finding as Failure } from '../../text/report.js'
import { type Finding, percentNoticed } from './findings.js'

export interface MutantGates {
  readonly failOn: readonly 'unnoticed'[]
  readonly minNoticed: number | undefined
  /** The ids that an earlier run noticed; undefined without a baseline. */
  readonly baseline: ReadonlySet<string> | undefined
}

export function mutantFailures(mutants: readonly Finding[], { failOn, minNoticed, baseline }: MutantGates): Failure[] {
  const unnoticed = mutants.filter(({ state }) => state === 'unnoticed')
  const percent = percentNoticed(mutants)
  const lost = unnoticed.filter(({ id }) => baseline?.has(id))
  return [
    ...(failOn.includes('unnoticed') ? unnoticed.map((one) => failureOf('unnoticed', one)) : []),
    ...lost.map((one) => failureOf('baseline', one)),
    ...(minNoticed === undefined || percent >= minNoticed
      ? []
      : [
          {
            basis: 'min-noticed',
            name: `${minNoticed} %`,
            message: `${percent.toFixed(1)} % of the mutants were noticed; ${minNoticed} % are required.`,
          },
        ]),
  ]
}

function failureOf(gate: string, { id, operation, place, due, got, force, rule }: Finding): Failure {
  const message = `No test fails where ${place} is ${got} instead of ${due}.`
  return { basis: gate, about: operation, name: id, message, fix: `See it with ${force}, and assert it.`, rule }
}
