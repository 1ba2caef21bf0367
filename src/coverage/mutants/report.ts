import { groupBy } from '../../text/group-by.js'
import { codeSpan, proseMarkdown } from '../../text/markdown.js'
import type { Finding as Failure, Report, Table, TestCase } from '../../text/report.js'
import { blindSpots, type Finding, type Findings, type MutantState, percentNoticed } from './findings.js'

const STATES: readonly MutantState[] = ['noticed', 'unnoticed', 'notMet']

/** What a suite noticed, and the gates that it fails: figures by operation, then all that no test looks at. */
export function mutantsReport(findings: Findings, failures: readonly Failure[]): Report {
  const { mutants, excepted } = findings
  const spots = blindSpots(mutants)
  return {
    name: 'countersign mutate',
    verdicts: [],
    findings: failures,
    terminal: [
      ...spots.map(({ operation, rule, unnoticed, met }) => ({
        title: `${operation}  ${rule}`,
        items: [
          { name: `${unnoticed.length} of ${met} unnoticed` },
          ...unnoticed.map(({ place, due, got, force }) => ({ name: place, lines: [`- ${due}`, `+ ${got}`, force] })),
        ],
      })),
      {
        title: 'Left out by the config file',
        items: excepted.map(({ mutant, why }) => ({ name: `${mutant}: ${why}` })),
      },
    ],
    markdown: [
      {
        items: spots.map(({ operation, rule, unnoticed, met }) => ({
          name: `**${operation}**: ${unnoticed.length} of ${met} unnoticed`,
          lines: [
            proseMarkdown(rule),
            ...unnoticed.flatMap(({ place, due, got, force }) => [
              codeSpan(place),
              { code: `- ${due}\n+ ${got}\n${force}`, language: 'diff' },
            ]),
          ],
        })),
        called: 'statements',
      },
    ],
    table: tableOf(mutants),
    summary: summaryOf(mutants),
    suites: [{ name: 'countersign mutate', cases: mutants.map(testCase) }],
    data: findings,
  }
}

function summaryOf(mutants: readonly Finding[]): string {
  const met = mutants.length - count(mutants, 'notMet')
  if (mutants.length === 0) return 'No mutant was tried.'
  if (met === 0) return 'No mutant was met.'
  const noticed = count(mutants, 'noticed')
  return `${noticed} of ${met} mutants noticed (${percentNoticed(mutants).toFixed(1)} %). It claims nothing about others.`
}

function tableOf(mutants: readonly Finding[]): Table {
  const byOperation = [...groupBy(mutants, ({ operation }) => operation)].sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const rows = byOperation.map(([operation, own]) => [operation, STATES.map((state) => count(own, state))] as const)
  return { head: ['operation', 'noticed', 'unnoticed', 'not met'], rows }
}

function count(mutants: readonly Finding[], state: MutantState): number {
  return mutants.filter((one) => one.state === state).length
}

/** An unnoticed mutant failed; one that was not met was skipped. */
function testCase({ id, operation, state, due, got, rule, force }: Finding): TestCase {
  const own = { classname: `countersign.mutate.${operation}`, name: id }
  if (state === 'notMet') return { ...own, skipped: 'The suite never asked for it.' }
  if (state === 'noticed') return own
  const text = `${rule}\ndue: ${due}\ngot: ${got}\n${force}`
  return { ...own, failure: { message: `No test noticed ${id}.`, text } }
}

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
