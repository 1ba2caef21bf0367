import { onOneLine } from '../contract/wording.js'

export interface FilePlace {
  readonly file: string
  /** From 1. */
  readonly line?: number
  readonly column?: number
}

export interface FileComplaint extends FilePlace {
  readonly message: string
  /** Such as `rules[1].answer.status`. */
  readonly path?: string
  readonly frame?: string
}

/** The first complaints often explain the others. */
export const MAX_COMPLAINTS = 20

/** Locates the first flaws, and counts the others. */
export async function locateFirst<T>(flaws: readonly T[], locate: (flaw: T) => Promise<FileComplaint>, rest = '') {
  const shown = await Promise.all(flaws.slice(0, MAX_COMPLAINTS).map(locate))
  const hidden = flaws.length - shown.length
  const { file = '' } = shown.at(-1) ?? {}
  return hidden > 0 ? [...shown, { file, message: `Complaints that are not shown: ${hidden}${rest}.` }] : shown
}

export class InvalidFiles extends Error {
  override readonly name = 'InvalidFiles'

  constructor(readonly complaints: readonly FileComplaint[]) {
    super(complaints.map(describeComplaint).join('\n'))
  }
}

export function unreadable(file: string, error: unknown, content = 'file'): InvalidFiles {
  return new InvalidFiles([{ file, message: `The ${content} cannot be read: ${fileErrorReason(error)}.` }])
}

export async function collectComplaints<T>(complaints: FileComplaint[], work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof InvalidFiles)) throw error
    complaints.push(...error.complaints)
    return undefined
  }
}

/** `file:line:column: message` and the code frame; without a line, the path in the data. */
export function describeComplaint({ file, line, column, path = '', message, frame }: FileComplaint): string {
  const name = onOneLine(file, file.length)
  const place = line === undefined ? name : `${name}:${line}:${column}`
  // Messages of schemas begin with the path, as `rules.1.answer`.
  const needsPath = path !== '' && !message.startsWith(`'${path.replaceAll(/\[(\d+)\]/g, '.$1')}'`)
  const where = line === undefined && needsPath ? `${path}: ` : ''
  return `${place}: ${where}${message}${frame === undefined ? '' : `\n${frame}`}`
}

export function fileErrorReason(error: unknown): string {
  const { message } = error as Error
  if (/^EEXIST.* mkdir|^ENOTDIR/.test(message)) return 'a part of its path is a file'
  return /^E[A-Z]+: ([^,]+)/.exec(message)?.[1] ?? message
}
