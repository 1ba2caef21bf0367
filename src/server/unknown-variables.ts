import { Config } from '../../schemas/config.js'
import { nearest } from '../text/nearest.js'
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
  const meant = variableMeant(name)
  const key = meant && ofFile[meant]
  if (key !== undefined)
    return `There is no environment variable ${name}. Set '${key}' in the config file${INSTEAD[key] ?? ''}.`
  return meant && `The environment variable ${name} is unknown. Did you mean ${meant}?`
}

/** The variable that a name was surely meant for. */
function variableMeant(name: string): string | undefined {
  const word = name.slice(PREFIX.length)
  const words = [...known, ...Object.keys(ofFile)].map((variable) => variable.slice(PREFIX.length))
  const meant = nearest(word, words, Math.max(1, Math.floor(word.length * MOST_STEPS)))
  return meant && `${PREFIX}${meant}`
}

/** With more edits than these per letter, a name is a different one. */
const MOST_STEPS = 0.3
