import type { Manual } from '../manual.js'

/** The lists, and what each contains. */
export const LISTS = {
  operations: 'the operations, with method, path and summary',
  outcomes: 'every outcome, with its provenance',
  scenarios: 'the scenarios from files, and whether each is on',
  tokens: 'the tokens in the fixtures, with their users and permissions',
  statements: 'the numbered sentences of the API document',
  interpretations: 'our readings of what the document leaves open, with the current values of their switches',
  mutants: "what 'countersign mutate' can make untrue, with the statements that each mutant breaks",
} as const

/** The lists that are printed by default; `--json` includes all of them. */
export const SHORT = ['operations', 'outcomes', 'scenarios', 'tokens'] as const satisfies (keyof typeof LISTS)[]

export const manual: Manual = {
  usage: ['list [LIST…] [options]'],
  about: [
    `Prints the lists that you name. Without names, prints ${SHORT.slice(0, -1).join(', ')} and ${SHORT.at(-1)}.`,
    'With --json, a single list is an array. Several lists, or all of them if you name none, are an object with one key per list.',
  ],
  flags: { json: { does: 'Print JSON, for other programs.' } },
  options: { config: true, fixtures: true, scenarios: true, scenario: true },
  sections: [{ title: 'Lists', rows: Object.entries(LISTS) }],
  examples: [
    'countersign list',
    'countersign list interpretations --config staging.yaml',
    'countersign list operations --json',
  ],
}
