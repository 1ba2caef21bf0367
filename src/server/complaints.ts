import { isAbsolute, relative } from 'node:path'
import { describeComplaint, type FileComplaint } from '../engine/files/invalid-files.js'

/** A file as it is called from a folder, or its whole path where that is shorter. */
export function relativePath(folder: string, file: string): string {
  if (!isAbsolute(file)) return file
  const name = relative(folder, file) || '.'
  return name.length < file.length ? name : file
}

/** Complaints as users read them, with files as they are called from the working directory. */
export function describeComplaints(complaints: readonly FileComplaint[], folder: string): string {
  return complaints.map((one) => describeComplaint({ ...one, file: relativePath(folder, one.file) })).join('\n')
}
