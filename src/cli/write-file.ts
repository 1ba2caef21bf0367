import { mkdir, open, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { collectComplaints } from '../server/load-data.js'
import { type FileComplaint, fileErrorReason, InvalidFiles } from '../text/invalid-files.js'
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
 * Makes sure that files can be written before there is anything to write; none of them is made or changed.
 * @throws {InvalidFiles} with every complaint about them
 */
export async function requireWritable({ folder }: Io, names: readonly string[]): Promise<void> {
  const complaints: FileComplaint[] = []
  for (const name of names) {
    const file = resolve(folder, name)
    await collectComplaints(complaints, () => asWriting(file, () => tryToWrite(file)))
  }
  if (complaints.length > 0) throw new InvalidFiles(complaints)
}

async function tryToWrite(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const isNew = await stat(file).then(
    () => false,
    () => true,
  )
  await (await open(file, 'a')).close()
  if (isNew) await unlink(file)
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
