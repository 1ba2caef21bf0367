import { type CitableTexts, quoteCitation } from '../../engine/contract/citable-texts.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { type Finding, findingCases, type Report, type Table, type TestCase } from '../report/report.js'
import type { Candidate } from './candidates.js'
import { type ExceptedMutant, matchesMutant } from './settings.js'

/** `notMet`: no test asked for the altered answer. */
export type MutantState = 'noticed' | 'unnoticed' | 'notMet'

export type MutantResult = ReturnType<typeof resultOf> & { readonly accepted?: true }

export interface MutantResults {
  readonly seed: string
  readonly mutants: readonly MutantResult[]
  readonly excepted: readonly ExceptedMutant[]
  readonly durations: { readonly control: readonly number[]; readonly all: number }
}

export function resultOf(candidate: Candidate, state: MutantState, hasTimedOut: boolean, texts: CitableTexts) {
  const { mutant, due, got } = candidate
  const { alter: _, effect: __, query: ___, status: ____, ...reported } = mutant
  const rule = quoteCitation(texts, mutant.cites[0])
  return {
    ...reported,
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
  const accepted = mutants.filter((mutant) => mutant.accepted).length
  const acceptedNotes = accepted === 0 ? [] : [`Unnoticed, and listed in the --accept file: ${accepted}.`]
  const blindSpots = findBlindSpots(mutants).map(({ title, unnoticed, met }) => ({
    title,
    items: [
      { text: `${unnoticed.length} of ${met} unnoticed` },
      ...unnoticed.map(({ place, due, got, force }) => ({
        text: place,
        code: ['diff', `- ${due}\n+ ${got}\n${force}`] as const,
      })),
    ],
  }))
  const exceptions = excepted.map(({ mutant, why }) => ({ text: `${mutant}: ${why}` }))
  return {
    title: 'countersign mutate',
    verdicts: [...(failures.length > 0 ? ['❌ A gate failed.'] : []), ...notes.map((note) => `⚠️ ${note}`)],
    findings: failures,
    sections: [...blindSpots, { title: 'Excluded by the config file', items: exceptions }],
    table: tableOf(mutants),
    summary: summaryOf(mutants),
    notes: [...acceptedNotes, ...notes],
    suites: {
      'countersign mutate': [
        ...mutants.map(testCase),
        ...findingCases(failures.filter(({ basis }) => basis !== 'unnoticed')),
      ],
    },
    data: results,
  }
}

/** Groups by operation and statement, the highest share of unnoticed mutants first. */
function findBlindSpots(mutants: readonly MutantResult[]) {
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
  const byKind = tallyBy(mutants, 'kind').map(({ name, noticed, met }) => `${noticed} of ${met} ${name}`)
  return `${noticed} of ${met} mutants noticed (${percent.toFixed(1)} %): ${byKind.join(', ')}. Mutants whose altered answer the suite never requested are not counted.`
}

function tableOf(mutants: readonly MutantResult[]): Table {
  const byOperation = tallyBy(mutants, 'operation')
  const rows = byOperation.map(({ name, noticed, unnoticed, notMet }) => [name, noticed, unnoticed, notMet])
  return { head: ['operation', 'noticed', 'unnoticed', 'not met'], rows }
}

function tallyBy(mutants: readonly MutantResult[], key: 'operation' | 'kind') {
  const groups = [...groupBy(mutants, (mutant) => mutant[key])].sort(([one], [other]) => (one < other ? -1 : 1))
  return groups.map(([name, group]) => ({ name, ...tally(group) }))
}

function tally(mutants: readonly MutantResult[]) {
  const count = (state: MutantState) => mutants.filter((one) => one.state === state).length
  const [noticed, unnoticed, notMet] = [count('noticed'), count('unnoticed'), count('notMet')]
  const met = noticed + unnoticed
  // Zero if no mutant was met: such a suite has shown nothing.
  return { noticed, unnoticed, notMet, met, percent: met === 0 ? 0 : (100 * noticed) / met }
}

function testCase({ id, operation, state, accepted, due, got, rule, force }: MutantResult): TestCase {
  const head = { classname: `countersign.mutate.${operation}`, name: id }
  if (state === 'notMet') return { ...head, skipped: 'The suite never requested this answer.' }
  if (accepted) return { ...head, skipped: 'The --accept file lists this mutant.' }
  if (state === 'noticed') return head
  return { ...head, failure: `No test noticed ${id}.\n${rule}\ndocumented: ${due}\naltered to: ${got}\n${force}` }
}

export interface MutantGates {
  readonly failOn: readonly 'unnoticed'[]
  readonly minNoticed: number | undefined
}

export const hasGate = ({ failOn, minNoticed = 0 }: MutantGates) => failOn.length > 0 || minNoticed > 0

export function markAccepted(mutant: MutantResult, patterns: readonly string[]): MutantResult {
  const isAccepted = mutant.state === 'unnoticed' && patterns.some((pattern) => matchesMutant(pattern, mutant.id))
  return isAccepted ? { ...mutant, accepted: true } : mutant
}

const SEND_THE_SAME = 'Make the suite send the same requests in every run.'

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
    message: `${summaryOf(mutants)} ${mutants.length === 0 ? 'Make the suite get successful answers, or exclude fewer mutants in mutate.except.' : SEND_THE_SAME}`,
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
  if (place === 'answer' || operator === 'always-first-page') return `${operation} answers ${got} instead of ${due}`
  return `${place} is ${got} instead of ${due}`
}
