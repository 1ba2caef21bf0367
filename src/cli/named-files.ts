import { resolve } from 'node:path'
import type { FileNames } from '../server/complaints-in-words.js'
import { writtenPaths } from '../text/written-paths.js'
import type { Io } from './command.js'

/** The path of a file that the user named, relative to the working directory. Complaints use the user's name for it. */
export function namedFile(io: Io, name: string): string {
  noteNames(io, { written: writtenPaths(io.folder, [name]) })
  return resolve(io.folder, name)
}

/** Makes complaints name files as the user did. */
export function noteNames(io: Io, names: FileNames): void {
  io.names = { ...io.names, ...names, written: { ...io.names.written, ...names.written } }
}
