import type { FlagTable } from '../flags/flag.js'
import type { Manual } from '../manual.js'

/** The largest number of records to generate for one collection. */
export const MOST = 5_000_000

const numberOf = (what: string) => ({ value: 'N', does: `How many ${what} to add: 0 to ${MOST} (default 0).` })

/** How many records of each kind to generate. */
export const countFlags = {
  credits: numberOf('credit history entries'),
  attachments: numberOf('protected attachments'),
  members: numberOf('organization members'),
  'sub-members': numberOf('sub-organization members'),
  documents: numberOf('documents'),
} as const satisfies FlagTable

export const manual: Manual = {
  usage: ['seed --out FOLDER [options]'],
  about: [
    'Writes a folder of fixtures, one file per collection: the records of the default world, or of --fixtures, plus as many generated records as you ask for. Serve it with --fixtures FOLDER.',
    'The generated records refer to organizations, users and projects of that world, and their dates are spread over the time before --until. The same --seed and --until produce the same bytes. A folder that is not empty is left untouched.',
  ],
  flags: {
    out: { value: 'FOLDER', does: 'New or empty folder to write the files to.' },
    ...countFlags,
    until: {
      value: 'DATE',
      does: 'Day or ISO 8601 time (2026-01-15T09:30:00Z) that all generated records are dated before (default today).',
    },
  },
  options: {
    fixtures: 'Fixtures file or folder to start from, instead of the default world.',
    seed: 'Seed for the generated records (default 1).',
  },
  examples: [
    'countersign seed --out bulk --credits 100000 --until 2026-06-30',
    'countersign seed --out members --members 5000 --sub-members 5000 --fixtures ./fixtures --seed 7',
  ],
}
