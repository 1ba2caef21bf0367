import { Config } from '../../schemas/config.js'
import { nearest } from '../text/nearest.js'
import { environmentOf, optionNames } from './options.js'

const PREFIX = environmentOf('')

/** What `exec` gives its child or reads, and `verify` reads. */
const OTHERS = ['URL', 'TOKEN', 'ADMIN_URL', 'ADMIN_TOKEN'].map((name) => `${PREFIX}${name}`)
const known: readonly string[] = [...optionNames.map(environmentOf), ...OTHERS]

/** Keys that only the config file has, by the variable that a user might try. */
const ofFile: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(Config.properties)
    .filter((key) => !['$schema', 'version', ...optionNames].includes(key))
    .map((key) => [environmentOf(key), key]),
)

/** Edits per letter after which a name is a different one. */
const MOST_EDITS = 0.3

/**
 * Messages about variables that begin like ours and are unknown: those that were surely meant for another one, and the
 * others. Values are not quoted: they may be secrets.
 */
export function unknownVariables(environment: NodeJS.ProcessEnv) {
  const mistaken: string[] = []
  const strange: string[] = []
  for (const [name, value] of Object.entries(environment)) {
    // An empty one is as if it were not set.
    if (!name.startsWith(PREFIX) || !value || known.includes(name)) continue
    const word = name.slice(PREFIX.length)
    const words = [...known, ...Object.keys(ofFile)].map((variable) => variable.slice(PREFIX.length))
    const meant = nearest(word, words, Math.max(1, Math.floor(word.length * MOST_EDITS)))
    const key = ofFile[`${PREFIX}${meant}`]
    if (meant === undefined) strange.push(`The environment variable ${name} is unknown and has no effect.`)
    else if (key === undefined)
      mistaken.push(`The environment variable ${name} is unknown. Did you mean ${PREFIX}${meant}?`)
    else {
      const instead = key === 'active' ? `, or use ${environmentOf('scenario')}` : ''
      mistaken.push(`There is no environment variable ${name}. Set '${key}' in the config file${instead}.`)
    }
  }
  return { mistaken, strange }
}
