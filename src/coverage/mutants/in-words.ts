import { blindSpots, type Excepted, type Finding, type MutantState, percentNoticed } from './findings.js'

const STATES: readonly MutantState[] = ['noticed', 'unnoticed', 'notMet']
const TITLES = ['noticed', 'unnoticed', 'not met']

/** What a suite noticed, for people: the figures of each operation, then all that no test looks at. */
export function findingsInWords(mutants: readonly Finding[], excepted: readonly Excepted[]): string {
  return [
    ...figures(mutants),
    ...blindSpots(mutants).flatMap(({ operation, rule, unnoticed, met }) => [
      '',
      `${operation}  ${rule}`,
      `  ${unnoticed.length} of ${met} unnoticed`,
      ...unnoticed.flatMap(({ place, due, got, force }) => [
        `    ${place}`,
        `      - ${due}`,
        `      + ${got}`,
        `      ${force}`,
      ]),
    ]),
    ...(excepted.length === 0 ? [] : ['', 'Left out by the config file']),
    ...excepted.map(({ mutant, why }) => `  ${mutant}: ${why}`),
    '',
    summaryOf(mutants),
  ].join('\n')
}

/** How many were noticed, in one sentence. */
export function summaryOf(mutants: readonly Finding[]): string {
  const met = mutants.filter(({ state }) => state !== 'notMet').length
  if (met === 0) return 'No mutant was met.'
  const noticed = count(mutants, 'noticed')
  return `${noticed} of ${met} mutants noticed (${percentNoticed(mutants).toFixed(1)} %). It claims nothing about others.`
}

/** The rows of a table: an operation, and how many of its mutants are in each state. */
export function rowsOf(
  mutants: readonly Finding[],
): readonly (readonly [operation: string, counts: readonly number[]])[] {
  const operations = [...new Set(mutants.map(({ operation }) => operation))].sort()
  return operations.map((operation) => {
    const own = mutants.filter((one) => one.operation === operation)
    return [operation, STATES.map((state) => count(own, state))]
  })
}

function figures(mutants: readonly Finding[]): string[] {
  const rows = rowsOf(mutants)
  const width = Math.max(...rows.map(([operation]) => operation.length))
  const line = (name: string, cells: readonly (string | number)[]) =>
    `${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(11)).join('')}`
  return [line('', TITLES), ...rows.map(([operation, counts]) => line(operation, counts))]
}

function count(mutants: readonly Finding[], state: MutantState): number {
  return mutants.filter((one) => one.state === state).length
}
