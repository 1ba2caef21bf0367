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
  await asWriting(folder, name, async (file) => {
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
    await collectComplaints(complaints, () => asWriting(folder, name, tryToWrite))
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
 * Does what writes a file; a relative name starts at the folder.
 * @throws {InvalidFiles} where that fails
 */
export async function asWriting(
  folder: string,
  name: string,
  write: (file: string) => Promise<unknown>,
): Promise<void> {
  try {
    await write(resolve(folder, name))
  } catch (error) {
    throw new InvalidFiles([{ file: name, message: `The file cannot be written: ${fileErrorReason(error)}.` }])
  }
}
