import type { Contract } from '../contract/contract.js'
import type { Form, UploadedFile } from '../contract/fields.js'
import type { Fault } from '../files/scenario.js'
import type { Violation } from './violation.js'

/** The preferences of a request (RFC 7240). */
export interface Preferences {
  readonly code?: number
  /** Milliseconds. */
  readonly delay?: number
  readonly scenario?: string
  readonly fault?: Fault
  /** The expected status; does not change the answer. */
  readonly expect?: number
  /** Those that tools read, by name. */
  readonly others: Readonly<Record<string, string>>
  /** Where each was sent: `headers.prefer`, or a parameter such as `query.__code`. */
  readonly places: Readonly<Record<string, string>>
  /** As sent, for `Preference-Applied`. */
  readonly applied: string
  /** What is left of the URL and the header without them. */
  readonly rest: { readonly url: string; readonly prefer: string | undefined }
}

/** One request, as it came. */
export interface ReceivedRequest {
  readonly method: string
  /** With the sandbox and the mock's own parameters. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Readonly<Record<string, string>>
  /** Without the mock's own parameters; repeated ones are lists. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Null if the operation takes no form, or the body cannot be read as one. */
  readonly form: Form | null
  /** A body that is not a form; null without one. */
  readonly text: string | null
  /** The body as received, if it is no form. */
  readonly bytes: Buffer | null
  /** Why the body cannot be read. */
  readonly unreadable: Violation | null
  /** The form in a body that was sent without its boundary. */
  readonly meantForm: Form | null
  /** The operation that an unmatched request surely meant. */
  readonly meantContract?: Contract
  /** Without the ending that names a sandbox. */
  readonly token: string | undefined
  /** The header that has the token, or should have it. */
  readonly tokenHeader: string
  readonly preferences: Preferences | null
  /** True where the journal keeps only the beginning. */
  readonly isCut: boolean
}

export type FileEntry = Pick<UploadedFile, 'filename' | 'mimetype' | 'size' | 'sha256'>
type FieldEntry = string | FileEntry
export type KeptForm = Readonly<Record<string, FieldEntry | readonly FieldEntry[]>>

/** As much of a request as the journal keeps: no contents of files, and the beginning of long texts. */
export interface KeptRequest extends Omit<ReceivedRequest, 'form' | 'meantForm'> {
  readonly form: KeptForm | null
  readonly meantForm: KeptForm | null
}
