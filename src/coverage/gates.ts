import { outcomeIds } from '../../schemas/scenario.js'
import { InvalidOption } from '../server/options.js'
import { didYouMean, quote } from '../text/wording.js'
import type { Report } from './report.js'

export const FAIL_ON = ['violations', 'unmatched', 'unused', 'deviations'] as const
type FailOn = (typeof FAIL_ON)[number]

/** What a run must fulfil. */
export interface Gates {
  readonly failOn: readonly FailOn[]
  /** Outcomes that must have been met. */
  readonly require: readonly string[]
  /** Percent of all outcomes that must have been met. */
  readonly minCoverage: number
}

/** One thing that a gate holds against a run, and how to mend it. */
export interface GateFailure {
  readonly gate: string
  readonly name: string
  readonly message: string
}

/** The gates' flags, true for those that take a value. */
export const gateFlags = { 'fail-on': true, require: true, 'min-coverage': true } as const

/**
 * Reads the gates' flags.
 * @throws {InvalidOption} for what is no gate, no outcome or no percentage
 */
export function readGates(flags: Readonly<Record<string, string | true>>): Gates {
  const failOn = list(flags['fail-on'])
  const require = list(flags.require)
  const minCoverage = flags['min-coverage'] ?? '0'
  for (const one of failOn) requireKnown('--fail-on', one, FAIL_ON)
  for (const one of require) requireKnown('--require', one, outcomeIds)
  if (!/^\d{1,3}(\.\d+)?%?$/.test(String(minCoverage)) || Number.parseFloat(String(minCoverage)) > 100) {
    throw new InvalidOption(`--min-coverage must be a percentage from 0 to 100, not ${quote(minCoverage)}.`)
  }
  return { failOn: failOn as FailOn[], require, minCoverage: Number.parseFloat(String(minCoverage)) }
}

function list(value: string | true | undefined): string[] {
  return typeof value === 'string'
    ? value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '')
    : []
}

function requireKnown(flag: string, one: string, known: readonly string[]): void {
  if (known.includes(one)) return
  throw new InvalidOption(`${flag} does not take ${quote(one)}.${didYouMean(one, known)} Allowed: ${known.join(', ')}.`)
}

/** How many outcomes a report covers, in percent. */
export function percentCovered({ outcomes }: Report): number {
  return (100 * outcomeIds.filter((id) => (outcomes[id]?.count ?? 0) > 0).length) / outcomeIds.length
}

/** Everything that the gates hold against a run; `unused` names the rules that should have been met. */
export function failuresOf(
  report: Report,
  { failOn, require, minCoverage }: Gates,
  unused: readonly string[],
): GateFailure[] {
  const checks: { readonly [G in FailOn]: () => GateFailure[] } = {
    violations: () =>
      report.violations.map((one) => ({
        gate: 'violations',
        name: `${one.operation ?? 'no operation'}: ${one.code} at ${one.where}`,
        message: `${one.message} (${times(one.count)}, first in ${one.request}) Mend it: ${one.fix}${one.rule === undefined ? '' : ` Rule: ${one.rule}`}`,
      })),
    unmatched: () =>
      Object.entries(report.unmatched).map(([request, count]) => ({
        gate: 'unmatched',
        name: request,
        message: `No operation matches ${request} (${times(count)}). 'countersign list operations' shows what there is.`,
      })),
    unused: () =>
      unused.map((rule) => ({
        gate: 'unused',
        name: rule,
        message: `The rule ${rule} was on, and no request met it. Send one that does, or switch the scenario off.`,
      })),
    deviations: () =>
      report.deviations.map((one) => ({
        gate: 'deviations',
        name: `${one.outcome}: ${one.code} at ${one.where}`,
        message: `${one.message} (${times(one.count)})`,
      })),
  }
  const missing = require.filter((outcome) => !report.outcomes[outcome]?.count)
  const percent = percentCovered(report)
  return [
    ...failOn.flatMap((gate) => checks[gate]()),
    ...missing.map((outcome) => ({
      gate: 'require',
      name: outcome,
      message: `The outcome ${outcome} was never met. Have a test ask for it, as with Prefer: code=${outcome.split(':')[1]}.`,
    })),
    ...(percent < minCoverage
      ? [
          {
            gate: 'min-coverage',
            name: `${minCoverage} %`,
            message: `${percent.toFixed(1)} % of the outcomes were met, ${minCoverage} % are asked for. Not met: ${unmet(report).join(', ')}.`,
          },
        ]
      : []),
  ]
}

function unmet({ outcomes }: Report): string[] {
  return outcomeIds.filter((id) => !outcomes[id]?.count)
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
