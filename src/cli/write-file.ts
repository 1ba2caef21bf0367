import { mkdir, open, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Complaint, collectComplaints, fileErrorReason, UnusableFiles } from '../text/invalid-files.js'
import type { Io } from './command.js'
import { namedFile } from './named-files.js'

/**
 * Writes a file that the user named; a relative path starts at the working directory.
 * @throws {InvalidFiles} if the file cannot be written
 */
export async function writeNamedFile(io: Io, name: string, text: string): Promise<void> {
  await asWriting(io, name, async (file) => {
    await makeFolder(dirname(file))
    await writeFile(file, text)
  })
}

/**
 * Makes sure that files can be written before there is anything to write; none of them is made or changed.
 * @throws {InvalidFiles} with every complaint about them
 */
export async function requireWritable(io: Io, names: readonly string[]): Promise<void> {
  const complaints: Complaint[] = []
  for (const name of names) {
    await collectComplaints(complaints, () => asWriting(io, name, tryToWrite))
  }
  if (complaints.length > 0) throw new UnusableFiles(complaints)
}

/**
 * Makes a folder and those that it stands in; resolves with the outermost that it made. Node's own way to do so does not
 * end where no folder can be made, as in /proc.
 */
export async function makeFolder(path: string): Promise<string | undefined> {
  const above = await makeUnlessThere(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error
    return { outermost: await makeFolder(dirname(path)) }
  })
  if (!('outermost' in above)) return above.made
  const { made } = await makeUnlessThere(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('no folder can be created there', { cause: error }) : error
  })
  return above.outermost ?? made
}

/** What was made, if anything. */
async function makeUnlessThere(path: string): Promise<{ made: string | undefined }> {
  try {
    await mkdir(path)
    return { made: path }
  } catch (error) {
    const there = await stat(path).catch(() => undefined)
    if (there?.isDirectory() !== true) throw error
    return { made: undefined }
  }
}

/** Runs work that creates files and folders; if it fails, removes those that it has recorded so far. */
export async function orRemoved<T>(work: (made: string[]) => Promise<T>): Promise<T> {
  const made: string[] = []
  try {
    return await work(made)
  } catch (error) {
    for (const path of made) await rm(path, { recursive: true, force: true }).catch(() => {})
    throw error
  }
}

async function tryToWrite(file: string): Promise<void> {
  await makeFolder(dirname(file))
  const isNew = await stat(file).then(
    () => false,
    () => true,
  )
  await (await open(file, 'a')).close()
  if (isNew) await unlink(file)
}

/**
 * Does what writes a file that the user named.
 * @throws {InvalidFiles} where that fails
 */
export async function asWriting(io: Io, name: string, write: (file: string) => Promise<unknown>): Promise<void> {
  const file = namedFile(io, name)
  try {
    await write(file)
  } catch (error) {
    const message = `The file cannot be written: ${fileErrorReason(error)}.`
    throw new UnusableFiles([{ code: 'unwritable', file, message }])
  }
}
