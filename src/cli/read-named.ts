import { resolve } from 'node:path'
import { namedAsWritten, writtenPaths } from '../text/written-paths.js'
import type { Io } from './command.js'

/**
 * Reads what the user named; a relative path starts at the working directory.
 * @throws {InvalidFiles} which names it as the user did
 */
export function readNamed<T>({ folder }: Io, name: string, read: (file: string) => Promise<T>): Promise<T> {
  return namedAsWritten(writtenPaths(folder, [name]), () => read(resolve(folder, name)))
}
