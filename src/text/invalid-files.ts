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

/** Files that cannot be used, with every complaint at once. */
export class InvalidFiles extends Error {
  override readonly name = 'InvalidFiles'
  readonly complaints: readonly FileComplaint[]

  constructor(complaints: readonly FileComplaint[]) {
    super(complaints.map(describeComplaint).join('\n'))
    this.complaints = complaints
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
