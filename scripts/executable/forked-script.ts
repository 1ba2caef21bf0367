import { isAbsolute, join, sep } from 'node:path'
import { distrust } from '../../src/cli/caches/distrust.js'
import type { Parcel } from './parcel.js'
import { isWhole } from './unpack.js'

/** The package's programs that run in a process of their own. */
const scripts = ['dist/pdf-process.js'].map((path) => join(path))

/**
 * The script to run instead of the command line: `fork` starts this executable with one as its first word. It may be in a
 * temporary folder of the parent's, so that the folder, not its place, shows that it is the package.
 */
export function forkedScript(parcel: Parcel, word: string | undefined): string | undefined {
  if (process.send === undefined || word === undefined || !isAbsolute(word)) return undefined
  const script = scripts.find((one) => word.endsWith(sep + one))
  if (script === undefined) return undefined
  const folder = word.slice(0, -script.length - sep.length)
  return isWhole(parcel, folder) && distrust(folder) === undefined ? word : undefined
}
