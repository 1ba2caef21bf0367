import { onOneLine } from '../contract/wording.js'

/** A place in one of the user's files. */
export interface FilePlace {
  /** The file's name, absolute where it is known. */
  readonly file: string
  /** The line, from 1; undefined if it is not known. */
  readonly line?: number
  readonly column?: number
}

/** A mistake in one of the user's files, and its place. */
export interface FileComplaint extends FilePlace {
  readonly message: string
  /** The place in the data, such as `rules[1].answer.status`; undefined if it is not known. */
  readonly path?: string
  /** The line, with the place marked below it. */
  readonly frame?: string
  /** The text is neither JSON nor YAML from the place on. */
  readonly isSyntaxError?: true
}

/** Complaints about one file that are shown: the first ones often explain the others. */
export const MOST_COMPLAINTS = 20

/** Thrown if files cannot be used; contains all complaints about them. */
export class InvalidFiles extends Error {
  override readonly name = 'InvalidFiles'
  readonly complaints: readonly FileComplaint[]

  constructor(complaints: readonly FileComplaint[]) {
    super(complaints.map(describeComplaint).join('\n'))
    this.complaints = complaints
  }
}

/** The complaint about a file that cannot be read. */
export function unreadable(file: string, error: unknown, content = 'file'): InvalidFiles {
  return new InvalidFiles([{ file, message: `The ${content} cannot be read: ${fileErrorReason(error)}.` }])
}

/** Runs some work and collects its complaints about files; resolves with undefined if there are any. */
export async function collectComplaints<T>(
  complaints: FileComplaint[],
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error
    complaints.push(...error.complaints)
    return undefined
  }
}

/** `file:line:column: message` with the code frame below; if the line is not known, the place in the data. */
export function describeComplaint({ file, line, column, path = '', message, frame }: FileComplaint): string {
  const name = onOneLine(file, file.length)
  const place = line === undefined ? name : `${name}:${line}:${column}`
  // Messages of schemas begin with the place as `rules.1.answer`.
  const isNamed = path === '' || message.startsWith(`'${path.replaceAll(/\[(\d+)\]/g, '.$1')}'`)
  const where = line === undefined && !isNamed ? `${path}: ` : ''
  return `${place}: ${where}${message}${frame === undefined ? '' : `\n${frame}`}`
}

/** Why a file cannot be read or written, in Node's words without its code and path. */
export function fileErrorReason(error: unknown): string {
  const { message } = error as Error
  return /^E[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message
}
