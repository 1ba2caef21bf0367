import type { Contract } from '../contract/contract.js'
import type { FileEntry, Form } from '../contract/fields.js'
import type { Fault } from '../files/scenario.js'
import type { Violation } from './violation.js'

export interface Preferences {
  readonly code?: number
  readonly delay?: number
  readonly scenario?: string
  readonly fault?: Fault
  /** The status that the client expects; it does not change the answer. */
  readonly expect?: number
  readonly toolPreferences: Readonly<Record<string, string>>
  readonly sentIn: Readonly<Record<string, string>>
  readonly appliedHeader: string
  readonly withoutPreferences: { readonly url: string; readonly prefer: string | undefined }
}

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly params: Readonly<Record<string, string>>
  /** Without preferences; repeated parameters are lists. */
  readonly query: Readonly<Record<string, string | readonly string[]>>
  /** Null without a form, and for a body that cannot be read as one. */
  readonly form: Form | null
  readonly text: string | null
  readonly bytes: Buffer | null
  readonly unreadable: Violation | null
  /** The form in a body with a wrong Content-Type or without its boundary. */
  readonly recoveredForm: Form | null
  /** The likely operation of an unmatched request. */
  readonly likelyContract?: Contract
  readonly token: string | undefined
  readonly tokenHeader: string
  readonly preferences: Preferences | null
  /** True if the journal does not keep all of it. */
  readonly isCut: boolean
}

/** True if the headers announce a body; a chunked one may be empty. */
export function announcesBody({ headers }: Pick<ReceivedRequest, 'headers'>): boolean {
  return Number(headers['content-length']) > 0 || 'transfer-encoding' in headers
}

type FieldEntry = string | FileEntry
export type KeptForm = Readonly<Record<string, FieldEntry | readonly FieldEntry[]>>

/** Without the contents of files and the ends of long texts. */
export interface KeptRequest extends Omit<ReceivedRequest, 'form' | 'recoveredForm'> {
  readonly form: KeptForm | null
  readonly recoveredForm: KeptForm | null
}
