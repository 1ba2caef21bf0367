import { resolve } from 'node:path'
import type { FileNames } from '../server/complaints-in-words.js'
import { writtenPaths } from '../text/written-paths.js'
import type { Io } from './command.js'

/** Where a file is that the user named: a relative path starts at the working directory. Complaints name it alike. */
export function namedFile(io: Io, name: string): string {
  noteNames(io, { written: writtenPaths(io.folder, [name]) })
  return resolve(io.folder, name)
}

/** Has complaints name files as the user did. */
export function noteNames(io: Io, names: FileNames): void {
  io.names = { ...io.names, ...names, written: { ...io.names.written, ...names.written } }
}
