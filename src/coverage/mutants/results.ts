import type { Cites } from '../../../schemas/cites.js'
import { groupBy } from '../../text/group-by.js'
import type { Candidate } from './candidates.js'
import { rulesOf } from './mutants.js'

/** `notMet`: the suite never asked for the answer that the mutant alters. */
export type MutantState = 'noticed' | 'unnoticed' | 'notMet'

export interface MutantResult {
  readonly id: string
  readonly operation: string
  /** The outcome that it alters. */
  readonly outcome: string
  readonly place: string
  readonly operator: string
  readonly cites: Cites
  /** The first statement that it breaks, in the document's words. */
  readonly rule: string
  readonly got: string
  readonly due: string
  readonly force: string
  readonly state: MutantState
  /** The run was ended because it took too long. */
  readonly timeout?: true
}

interface Excepted {
  readonly mutant: string
  readonly why: string
}

/** The results of a suite, as `--json` writes them. */
export interface MutantResults {
  readonly seed: string
  readonly mutants: readonly MutantResult[]
  readonly excepted: readonly Excepted[]
  /** Milliseconds. */
  readonly durations: { readonly control: readonly number[]; readonly all: number }
}

export function resultOf({ mutant, due, got }: Candidate, state: MutantState, timeout: boolean): MutantResult {
  const { id, operation, outcome, place, operator, cites } = mutant
  const rule = rulesOf(mutant)[0] as string
  const force = `Prefer: mutant=${id}`
  return { id, operation, outcome, place, operator, cites, rule, got, due, force, state, ...(timeout && { timeout }) }
}

export function percentNoticed(mutants: readonly MutantResult[]): number {
  const met = mutants.filter(({ state }) => state !== 'notMet')
  return met.length === 0 ? 100 : (100 * met.filter(({ state }) => state === 'noticed').length) / met.length
}

/** Those of one operation and one statement, of which some are unnoticed. */
interface Blind {
  readonly operation: string
  readonly rule: string
  readonly unnoticed: readonly MutantResult[]
  /** How many of the group were met. */
  readonly met: number
}

/** The unnoticed by operation and statement, first those of which nothing was noticed at all. */
export function blindSpots(mutants: readonly MutantResult[]): readonly Blind[] {
  const met = mutants.filter(({ state }) => state !== 'notMet')
  const groups = groupBy(met, ({ operation, rule }) => `${operation} ${rule}`)
  const blind = [...groups.values()].map((group) => ({
    operation: group[0]!.operation,
    rule: group[0]!.rule,
    unnoticed: group.filter(({ state }) => state === 'unnoticed'),
    met: group.length,
  }))
  const share = ({ unnoticed, met }: Blind) => unnoticed.length / met
  return blind
    .filter(({ unnoticed }) => unnoticed.length > 0)
    .sort((one, other) => share(other) - share(one) || other.met - one.met)
}
