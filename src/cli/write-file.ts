import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Io } from './command.js'

/** Writes a file that the user named; a relative path starts at the working directory. */
export async function writeNamedFile({ folder }: Io, name: string, text: string): Promise<void> {
  const file = resolve(folder, name)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
