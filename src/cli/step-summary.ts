import { appendFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { UnusableFiles } from '../text/invalid-files.js'
import type { Io } from './command.js'
import { namedFile } from './named-files.js'
import { asWriting } from './write-file.js'

/** Bytes of all summaries that one step writes; GitHub shows nothing of more. */
const MOST = 1024 * 1024

/** The file that GitHub Actions shows as the step summary, if there is one. */
export function stepSummary({ environment, folder }: Io): string | undefined {
  const { GITHUB_STEP_SUMMARY: file } = environment
  return file ? resolve(folder, file) : undefined
}

/**
 * Adds markdown to the step's summary, below what is there already.
 * @param text makes markdown of at most so many bytes, as far as it can
 * @throws {InvalidFiles} if the file cannot be written, or is already full
 */
export async function appendToStepSummary(io: Io, file: string, text: (most: number) => string): Promise<void> {
  const there = (await stat(file).catch(() => undefined))?.size ?? 0
  const before = there > 0 ? '\n' : ''
  const room = MOST - there - before.length
  const markdown = text(room)
  if (Buffer.byteLength(markdown) > room)
    throw new UnusableFiles([{ code: 'too-large', file: namedFile(io, file), message: NO_ROOM }])
  await asWriting(io, file, () => appendFile(file, before + markdown))
}

const NO_ROOM =
  'The step summary was left as it is: GitHub shows at most 1 MiB of it, and other output already fills that.'

/** Whether two names lead to one file, be it that it does not exist yet. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((file) => stat(file).catch(() => undefined)))
  if (a !== undefined && b !== undefined) return a.dev === b.dev && a.ino === b.ino
  const [here, there] = await Promise.all([one, other].map(placeOf))
  return here === there
}

async function placeOf(file: string): Promise<string> {
  const folder = dirname(file)
  return join(await realpath(folder).catch(() => folder), basename(file))
}
