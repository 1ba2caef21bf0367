import type { FileComplaint } from '../../text/invalid-files.js'

/** A complaint as a problem lists it: where it is in the data, and in its text, where that is known. */
export function placed({
  path = '',
  line,
  column,
  message,
}: Pick<FileComplaint, 'path' | 'line' | 'column' | 'message'>) {
  return { path, ...(line && { line, column }), message }
}
