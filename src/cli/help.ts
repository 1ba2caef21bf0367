import type { TSchema } from '@sinclair/typebox'
import { Options } from '../../schemas/config.js'
import { FAIL_ON } from '../coverage/gates.js'
import { flagOf } from '../server/options.js'
import { commands } from './commands.js'

const GATES: readonly (readonly [string, string])[] = [
  ['fail-on', `${FAIL_ON.join(',')}: what a run must not have`],
  ['require', 'outcomes that must have been met, comma-joined: addOrganizationMember:409,…'],
  ['min-coverage', 'percent of all outcomes that must have been met'],
  ['junit', 'file for the result as JUnit XML'],
  ['summary', 'file for the result as markdown'],
  ['coverage', 'file for the coverage, to be added up later'],
]

/** What `--help` prints; the options come from their table. */
export function help(): string {
  const options = Object.entries(Options.properties as Record<string, TSchema>)
  return [
    'countersign: a local server that stands in for the Enterprise Document Signing and Protection API',
    '',
    'Usage: countersign [command] [options]',
    '',
    'Commands',
    ...Object.values(commands).map(({ usage, does }) => `  ${usage.padEnd(24)}${does}`),
    '',
    'Gates of exec and coverage',
    ...GATES.map(([flag, does]) => `  --${flag.padEnd(22)}${does}`),
    '',
    'Options (each also as COUNTERSIGN_<NAME> and, except --config, as a key of the config file)',
    ...options.map(([name, schema]) => `  --${flagOf(name).padEnd(22)}${text(schema)}`),
    '',
    'COUNTERSIGN_SCENARIO takes a comma-separated list.',
  ].join('\n')
}

function text(schema: TSchema): string {
  const values = schema.enum === undefined ? '' : ` [${(schema.enum as string[]).join(' | ')}]`
  const fallback = schema.default === undefined || Array.isArray(schema.default) ? '' : ` (default ${schema.default})`
  return `${schema.description}${values}${fallback}`
}
