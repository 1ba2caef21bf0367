import { isAbsolute, relative } from 'node:path'
import { describeComplaint, type FileComplaint } from '../engine/files/invalid-files.js'

/** Returns the absolute path if it is shorter. */
export function relativePath(folder: string, file: string): string {
  if (!isAbsolute(file)) return file
  const name = relative(folder, file) || '.'
  return name.length < file.length ? name : file
}

export function describeComplaints(complaints: readonly FileComplaint[], folder: string): string {
  return complaints.map((one) => describeComplaint({ ...one, file: relativePath(folder, one.file) })).join('\n')
}
