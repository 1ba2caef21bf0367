import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { fileErrorReason, InvalidFiles } from '../text/invalid-files.js'
import type { Io } from './command.js'

/**
 * Writes a file that the user named; a relative path starts at the working directory.
 * @throws {InvalidFiles} for one that cannot be written
 */
export async function writeNamedFile({ folder }: Io, name: string, text: string): Promise<void> {
  const file = resolve(folder, name)
  await asWriting(file, async () => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  })
}

/**
 * Does what writes a file.
 * @throws {InvalidFiles} where that fails
 */
export async function asWriting(file: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw new InvalidFiles([{ file, message: `The file cannot be written: ${fileErrorReason(error)}.` }])
  }
}
