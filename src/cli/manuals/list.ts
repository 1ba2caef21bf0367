import type { Manual } from '../manual.js'

/** What can be listed, and what each list tells. */
export const LISTS = {
  operations: 'the operations, with method, path and summary',
  outcomes: 'every outcome, with its provenance',
  scenarios: 'the scenarios of files, and whether each is on',
  tokens: 'the tokens of the fixtures, with their users and permissions',
  statements: "the numbered sentences of the API's document",
  interpretations: 'our readings of what it leaves open, with their switches as they are set',
} as const

/** What is printed where nothing is asked for by name; as data, all lists are. */
export const SHORT = ['operations', 'outcomes', 'scenarios', 'tokens'] as const satisfies (keyof typeof LISTS)[]

export const manual: Manual = {
  usage: ['list [LIST…] [options]'],
  about: [
    `Prints the lists that are named, or else ${SHORT.slice(0, -1).join(', ')} and ${SHORT.at(-1)}.`,
    'With --json, one list is an array; several, or all where none is named, are one object with a key for each list.',
  ],
  flags: { json: { does: 'Print JSON, as data for other programs.' } },
  options: { config: true, fixtures: true, scenarios: true, scenario: true, interpretations: true },
  sections: [{ title: 'Lists', rows: Object.entries(LISTS) }],
  examples: [
    'countersign list',
    'countersign list interpretations --interpretations countersign.learned.yaml',
    'countersign list operations --json',
  ],
}
