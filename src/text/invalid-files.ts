/** A place in a file of the user's. */
export interface FilePlace {
  /** As the user wrote it. */
  readonly file: string
  /** From 1; undefined where it is not known. */
  readonly line?: number
  readonly column?: number
}

/** What is wrong in a file of the user's, and where. */
export interface FileComplaint extends FilePlace {
  readonly message: string
  /** The place in the data, such as `rules[1].answer.status`; undefined where it is not known. */
  readonly path?: string
  /** The lines around the place, with a mark. */
  readonly frame?: string
}

/** Files that cannot be used, with every complaint at once, as the user reads them. */
export class InvalidFiles extends Error {
  override readonly name = 'InvalidFiles'
  readonly complaints: readonly FileComplaint[]

  constructor(complaints: readonly FileComplaint[]) {
    super(complaints.map(describeComplaint).join('\n'))
    this.complaints = complaints
  }
}

/** What kind of mistake a complaint is about. */
export type ComplaintCode =
  | 'unreadable'
  | 'unwritable'
  /** It is no JSON or YAML, or nested too deeply. */
  | 'syntax'
  /** It is not in its format. */
  | 'schema'
  /** It contradicts the contracts or itself. */
  | 'rule'
  /** It names what does not exist, or itself. */
  | 'reference'
  | 'unknown-scenario'
  | 'duplicate'
  | 'name'
  | 'too-large'
  /** The state cannot be kept in it. */
  | 'state'

/**
 * A complaint as data, made where the mistake is found; `file` is absolute, or the name of what is no file. What the user
 * calls the file, and what named it, is said as it is written out.
 */
export interface Complaint extends FileComplaint {
  readonly code: ComplaintCode
  /** What could not be read there. */
  readonly subject?: Subject
  /** The system's error code, such as `ENOENT`. */
  readonly reason?: string
}

type Subject = 'file' | 'fixtures' | 'scenarios'

/** Files that cannot be used, before their complaints are written out. */
export class UnusableFiles extends InvalidFiles {
  declare readonly complaints: readonly Complaint[]

  constructor(complaints: readonly Complaint[]) {
    super(complaints)
  }
}

/** What the system does not give to read. */
export function unreadable(file: string, error: unknown, subject: Subject = 'file'): UnusableFiles {
  const { code: reason } = error as NodeJS.ErrnoException
  const message = `The ${subject} cannot be read: ${fileErrorReason(error)}.`
  return new UnusableFiles([{ code: 'unreadable', file, subject, message, ...(reason && { reason }) }])
}

/** Does something, and adds the complaints about files to others; undefined where there are any. */
export async function collectComplaints<T>(complaints: Complaint[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof UnusableFiles)) throw error
    complaints.push(...error.complaints)
    return undefined
  }
}

/** `file:line:column: message`, and the code frame below; where the line is not known, the place in the data. */
export function describeComplaint({ file, line, column, path = '', message, frame }: FileComplaint): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  const where = line === undefined && path !== '' && !message.startsWith(`'${dotted(path)}'`) ? `${path}: ` : ''
  return `${place}: ${where}${message}${frame === undefined ? '' : `\n${frame}`}`
}

/** A place as the messages of schemas name it: `rules.1.answer`. */
function dotted(path: string): string {
  return path.replaceAll(/\[(\d+)\]/g, '.$1')
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'that is not permitted',
  EPERM: 'that is not permitted',
  EROFS: 'its file system is read-only',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a file is where a folder should be',
  EEXIST: 'a file is where a folder should be',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'there is no room left',
  EFBIG: 'it would be larger than files may be here',
  EDQUOT: 'there is no room left',
}

/** Why a file cannot be read or written, in words. */
export function fileErrorReason(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return REASONS[code ?? ''] ?? message
}
