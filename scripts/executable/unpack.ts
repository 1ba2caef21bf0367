import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PackedFile, Parcel } from './parcel.js'

/** Writes those files that are missing in a folder or of another size; each appears whole or not at all. */
export function unpack(parcel: Parcel, folder: string): void {
  if (isWhole(parcel, folder)) return
  const content = parcel.content()
  let start = 0
  for (const file of parcel.files) {
    const end = start + file.size
    if (!isThere(folder, file)) write(join(folder, file.path), content.subarray(start, end))
    start = end
  }
}

/** Whether each file is there, with the size that it should have. */
export function isWhole({ files }: Parcel, folder: string): boolean {
  return files.every((file) => isThere(folder, file))
}

function isThere(folder: string, { path, size }: PackedFile): boolean {
  const found = lstatSync(join(folder, path), { throwIfNoEntry: false })
  return found?.isFile() === true && found.size === size
}

/** Others may be reading the folder, or mending it as well. */
function write(file: string, bytes: Buffer): void {
  const unfinished = `${file}.${process.pid}`
  mkdirSync(dirname(file), { recursive: true })
  try {
    writeFileSync(unfinished, bytes)
    renameSync(unfinished, file)
  } catch (error) {
    rmSync(unfinished, { force: true })
    throw error
  }
}
