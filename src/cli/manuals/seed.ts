import type { FlagTable } from '../flags/flag.js'
import type { Manual } from '../manual.js'

/** The most records of a collection that are generated. */
export const MOST = 5_000_000

const numberOf = (what: string) => ({ value: 'N', does: `How many ${what} to add: 0 to ${MOST} (default 0).` })

/** How many records of each kind are generated. */
export const countFlags = {
  credits: numberOf('entries of credit histories'),
  attachments: numberOf('protected attachments'),
  members: numberOf('organization members'),
  'sub-members': numberOf('sub-organization members'),
  documents: numberOf('documents'),
} as const satisfies FlagTable

export const manual: Manual = {
  usage: ['seed --out FOLDER [options]'],
  about: [
    'Writes a folder of fixtures, one file per collection: the records of the default world, or of the one that --fixtures names, and as many generated ones beside them as you ask for. Serve it with --fixtures FOLDER.',
    'The generated records refer to organizations, users and projects of that world, and are dated over the time before --until. The same --seed and --until give the same bytes. A folder that is not empty is left alone.',
  ],
  flags: {
    out: { value: 'FOLDER', does: 'New or empty folder for the files.' },
    ...countFlags,
    until: {
      value: 'DATE',
      does: 'Day or ISO 8601 time (2026-01-15T09:30:00Z) before which records are dated (default today).',
    },
  },
  options: {
    fixtures: 'Fixtures file or folder to start from, instead of the default world.',
    seed: 'Seed of what is generated (default 1).',
  },
  examples: [
    'countersign seed --out bulk --credits 100000 --until 2026-06-30',
    'countersign seed --out members --members 5000 --sub-members 5000 --fixtures ./fixtures --seed 7',
  ],
}
