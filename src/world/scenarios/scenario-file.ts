import type { Rule } from '../../../schemas/scenario.js'
import type { ReadyRule, Scenario } from './scenario.js'

/** A rule as a file says it. */
export function writtenRule({ on, meets: _, place: __, ...rule }: ReadyRule): Rule {
  // A set of operations is never empty, which its type does not say.
  return { on: on === undefined ? '*' : ([...on] as never), ...rule }
}

/** A scenario as the content of a file; the rules of those that it extends stand in it. */
export function scenarioFile({ description, rules }: Pick<Scenario, 'description' | 'rules'>): Promise<string> {
  return scenarioText(description, rules.map(writtenRule))
}

/** The content of a scenario file, as people write it. */
export async function scenarioText(description: string, rules: readonly Rule[]): Promise<string> {
  const { stringify } = await import('../../text/yaml.js')
  const tidy = rules.map(({ on, ...rule }) => ({ on: Array.isArray(on) && on.length === 1 ? on[0] : on, ...rule }))
  return stringify({ version: 1, ...(description !== '' && { description }), rules: tidy }, { lineWidth: 0 })
}
