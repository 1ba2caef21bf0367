import { type CitableTexts, quoteCitation } from '../../engine/contract/citable-texts.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { type Finding, findingCases, type Report, type Table, type TestCase } from '../report/report.js'
import type { Candidate } from './candidates.js'
import { type ExceptedMutant, isNamedMutant } from './settings.js'

/** `notMet`: no test asked for the altered answer. */
export type MutantState = 'noticed' | 'unnoticed' | 'notMet'

export type MutantResult = ReturnType<typeof resultOf> & { readonly accepted?: true }

export interface MutantResults {
  readonly seed: string
  readonly mutants: readonly MutantResult[]
  readonly excepted: readonly ExceptedMutant[]
  readonly durations: { readonly control: readonly number[]; readonly all: number }
}

export function resultOf(
  { mutant, due, got }: Candidate,
  {
    state,
    hasTimedOut,
    texts,
  }: { readonly state: MutantState; readonly hasTimedOut: boolean; readonly texts: CitableTexts },
) {
  const { alter: _, effect: __, query: ___, status: ____, ...shown } = mutant
  const rule = quoteCitation(texts, mutant.cites[0])
  return {
    ...shown,
    rule,
    got,
    due,
    force: `Prefer: mutant=${mutant.id}`,
    state,
    ...(hasTimedOut && { timeout: true }),
  }
}

export function mutantsReport(results: MutantResults, failures: readonly Finding[], notes: readonly string[]): Report {
  const { mutants, excepted } = results
  const accepted = mutants.filter((one) => one.accepted).length
  const known = accepted === 0 ? [] : [`Accepted, and unnoticed: ${accepted}.`]
  const spots = blindSpots(mutants).map(({ title, unnoticed, met }) => ({
    title,
    items: [
      { text: `${unnoticed.length} of ${met} unnoticed` },
      ...unnoticed.map(({ place, due, got, force }) => ({
        text: place,
        code: ['diff', `- ${due}\n+ ${got}\n${force}`] as const,
      })),
    ],
  }))
  const leftOut = excepted.map(({ mutant, why }) => ({ text: `${mutant}: ${why}` }))
  return {
    title: 'countersign mutate',
    verdicts: notes.map((note) => `⚠️ ${note}`),
    findings: failures,
    sections: [...spots, { title: 'Excluded by the config file', items: leftOut }],
    table: tableOf(mutants),
    summary: summaryOf(mutants),
    notes: [...known, ...notes],
    suites: {
      'countersign mutate': [
        ...mutants.map(testCase),
        ...findingCases(failures.filter(({ basis }) => basis !== 'unnoticed')),
      ],
    },
    data: results,
  }
}

/** By operation and statement, the highest share of unnoticed mutants first. */
function blindSpots(mutants: readonly MutantResult[]) {
  const met = mutants.filter(({ state }) => state !== 'notMet')
  const groups = groupBy(met, ({ operation, rule }) => `${operation}  ${rule}`)
  return Array.from(groups, ([title, group]) => {
    const unnoticed = group.filter(({ state }) => state === 'unnoticed')
    return { title, unnoticed, met: group.length, share: unnoticed.length / group.length }
  })
    .filter(({ share }) => share > 0)
    .sort((one, other) => other.share - one.share || other.met - one.met)
}

function summaryOf(mutants: readonly MutantResult[]): string {
  const { met, noticed, percent } = tally(mutants)
  if (mutants.length === 0) return 'No mutant was tried.'
  if (met === 0) return 'The suite requested no altered answer.'
  const byKind = tallies(mutants, 'kind').map((one) => `${one.noticed} of ${one.met} ${one.name}`)
  return `${noticed} of ${met} mutants noticed (${percent.toFixed(1)} %): ${byKind.join(', ')}. Mutants that were not tried are not counted.`
}

function tableOf(mutants: readonly MutantResult[]): Table {
  const byOperation = tallies(mutants, 'operation')
  const rows = byOperation.map(({ name, noticed, unnoticed, notMet }) => [name, noticed, unnoticed, notMet])
  return { head: ['operation', 'noticed', 'unnoticed', 'not met'], rows }
}

function tallies(mutants: readonly MutantResult[], by: 'operation' | 'kind') {
  const groups = [...groupBy(mutants, (one) => one[by])].sort(([one], [other]) => (one < other ? -1 : 1))
  return groups.map(([name, own]) => ({ name, ...tally(own) }))
}

function tally(mutants: readonly MutantResult[]) {
  const count = (state: MutantState) => mutants.filter((one) => one.state === state).length
  const [noticed, unnoticed, notMet] = [count('noticed'), count('unnoticed'), count('notMet')]
  const met = noticed + unnoticed
  // Without a met mutant, nothing is shown.
  return { noticed, unnoticed, notMet, met, percent: met === 0 ? 0 : (100 * noticed) / met }
}

function testCase({ id, operation, state, accepted, due, got, rule, force }: MutantResult): TestCase {
  const own = { classname: `countersign.mutate.${operation}`, name: id }
  if (state === 'notMet') return { ...own, skipped: 'The suite never requested this answer.' }
  if (accepted) return { ...own, skipped: 'The file of --accept lists it.' }
  if (state === 'noticed') return own
  return { ...own, failure: `No test noticed ${id}.\n${rule}\ndocumented: ${due}\naltered to: ${got}\n${force}` }
}

export interface MutantGates {
  readonly failOn: readonly 'unnoticed'[]
  readonly minNoticed: number | undefined
}

export const hasGate = ({ failOn, minNoticed = 0 }: MutantGates) => failOn.length > 0 || minNoticed > 0

export function withAccepted(mutant: MutantResult, accepted: readonly string[]): MutantResult {
  const isKnown = mutant.state === 'unnoticed' && accepted.some((one) => isNamedMutant(one, mutant.id))
  return isKnown ? { ...mutant, accepted: true } : mutant
}

export function mutantFailures(mutants: readonly MutantResult[], { failOn, minNoticed = 0 }: MutantGates): Finding[] {
  const { percent, met } = tally(mutants)
  const tooFew = {
    basis: 'min-noticed',
    name: `${minNoticed} %`,
    message: `${percent.toFixed(1)} % of the mutants were noticed; ${minNoticed} % are required.`,
  }
  const noneMet = {
    basis: 'fail-on',
    name: 'unnoticed',
    message: `${summaryOf(mutants)} Let the suite ask, in each run, for answers that mutants alter.`,
  }
  const unnoticed = mutants
    .filter(({ state, accepted }) => state === 'unnoticed' && !accepted)
    .map((mutant) => ({
      basis: 'unnoticed',
      name: mutant.id,
      message: `No test fails if ${describeAltered(mutant)}.`,
      fix: `Send ${mutant.force} to see the altered answer, then add an assertion.`,
      rule: mutant.rule,
    }))
  return [
    ...(failOn.includes('unnoticed') ? (met === 0 ? [noneMet] : unnoticed) : []),
    ...(percent < minNoticed ? [tooFew] : []),
  ]
}

function describeAltered({ operation, outcome, place, operator, due, got }: MutantResult): string {
  if (operator === 'without-effect') return `${operation} answers ${outcome.split(':')[1]} but changes nothing`
  if (place === 'effect') return `${operation} answers ${got}`
  if (place === 'answer' || operator === 'not-turned') return `${operation} answers ${got} instead of ${due}`
  return `${place} is ${got} instead of ${due}`
}
