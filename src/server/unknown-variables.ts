import { distance } from 'fastest-levenshtein'
import { Config } from '../../schemas/config.js'
import { environmentOf, optionNames } from './options.js'

const PREFIX = environmentOf('')

/** What `exec` gives its child or reads, and `verify` reads. */
const OTHERS = ['URL', 'TOKEN', 'ADMIN_URL', 'ADMIN_TOKEN', 'MUTANT'].map((name) => `${PREFIX}${name}`)

const known: readonly string[] = [...new Set([...optionNames.map(environmentOf), ...OTHERS])]

/** Keys that only the config file has, by the variable that a user might try, and alternatives to the file. */
const ofFile: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(Config.properties)
    .filter((key) => !['$schema', 'version', ...optionNames].includes(key))
    .map((key) => [environmentOf(key), key]),
)
const INSTEAD: Readonly<Record<string, string>> = { active: `, or use ${environmentOf('scenario')}` }

/** Messages about unknown variables that begin like ours. Values are not quoted: they may be secrets. */
export interface UnknownVariables {
  /** For variables that are clearly mistakes. */
  readonly mistaken: readonly string[]
  /** For the others. */
  readonly strange: readonly string[]
}

/** Finds variables that were meant for this program but that it does not know. */
export function unknownVariables(environment: NodeJS.ProcessEnv): UnknownVariables {
  // An empty one is as if it were not set.
  const names = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && (environment[name] ?? '') !== '')
  const said = names.filter((name) => !known.includes(name)).map((name) => ({ name, mistake: mistakeIn(name) }))
  return {
    mistaken: said.flatMap(({ mistake }) => mistake ?? []),
    strange: said
      .filter(({ mistake }) => mistake === undefined)
      .map(({ name }) => `The environment variable ${name} is unknown and has no effect.`),
  }
}

function mistakeIn(name: string): string | undefined {
  const meant = nearest(name)
  const key = meant && ofFile[meant]
  if (key !== undefined)
    return `There is no environment variable ${name}. Set '${key}' in the config file${INSTEAD[key] ?? ''}.`
  return meant && `The environment variable ${name} is unknown. Did you mean ${meant}?`
}

/** The variable that a name was surely meant for. */
function nearest(name: string): string | undefined {
  const word = wordOf(name).toUpperCase()
  const steps = (other: string) => (isTurned(word, other) ? 1 : distance(word, other))
  const most = Math.max(1, Math.floor(word.length * MOST_STEPS))
  const [near] = [...known, ...Object.keys(ofFile)]
    .map((variable) => ({ variable, away: steps(wordOf(variable)) }))
    .filter(({ away }) => away <= most)
    .sort((one, other) => one.away - other.away)
  return near?.variable ?? known.find((variable) => word.length > 2 && wordOf(variable).startsWith(word))
}

const wordOf = (variable: string) => variable.slice(PREFIX.length)

/** With more edits than these per letter, a name is a different one. */
const MOST_STEPS = 0.3

/** Whether two words have the same letters in another order. */
function isTurned(one: string, other: string): boolean {
  return one.length === other.length && [...one].sort().join() === [...other].sort().join()
}
