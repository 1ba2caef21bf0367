import { isAbsolute, relative } from 'node:path'
import { describeComplaint, type FileComplaint } from '../text/invalid-files.js'

/** A file as it is called from a folder, or its whole path where that is shorter. */
export function relativePath(folder: string, file: string): string {
  if (!isAbsolute(file)) return file
  const name = relative(folder, file) || '.'
  return name.length < file.length ? name : file
}

/** A complaint as users read it, with its file as it is called from the working directory. */
export function relativeComplaint(folder: string, complaint: FileComplaint): FileComplaint {
  return { ...complaint, file: relativePath(folder, complaint.file) }
}

/** Complaints as text. */
export function describeComplaints(complaints: readonly FileComplaint[], folder: string): string {
  return complaints.map((one) => describeComplaint(relativeComplaint(folder, one))).join('\n')
}
