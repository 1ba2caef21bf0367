import type { Form, FormValue } from '../../schemas/common.js'
import { formOf } from '../../src/http/api/form.js'
import { type MultipartPart, readParts } from '../../src/http/api/multipart.js'
import { UnreadableForm } from '../../src/http/api/unreadable-form.js'
import type { Sent } from './sent.js'

/** A part as it is compared: its name, then its text, or of its file the name, the type and the bytes. */
type ShownPart = readonly [name: string, ...value: readonly string[]]

/** What a reader makes of a body: its parts, or why it is refused. */
export type Reading = { readonly parts: readonly ShownPart[] } | { readonly refused: string }

export function shownPart({ name, value }: MultipartPart): ShownPart {
  if (typeof value === 'string') return [name, value]
  return [name, value.filename, value.mimetype, Buffer.from(value.content).toString('latin1')]
}

/** What our reader makes of a body; the code of its complaint, where it is refused. */
export function readByOurs({ type, body }: Sent, files: ReadonlySet<string>): Reading {
  try {
    const parts = readParts(body, type, files)
    // Names are judged as the form is made.
    formOf(parts, (file) => ({ ...file, size: file.content.length, sha256: '' }))
    return { parts: parts.map(shownPart) }
  } catch (error) {
    if (error instanceof UnreadableForm) return { refused: error.violation.code }
    throw error
  }
}

/** Whether two make the same of it, whatever each says of a body that both refuse. */
export function isSame(one: Reading, other: Reading): boolean {
  if ('refused' in one || 'refused' in other) return 'refused' in one && 'refused' in other
  return JSON.stringify(one.parts) === JSON.stringify(other.parts)
}

/** What a form is, or the violation of one that is refused. */
export function judged(read: () => Form): unknown {
  try {
    return shownForm(read())
  } catch (error) {
    if (error instanceof UnreadableForm) return error.violation
    throw error
  }
}

/** A form without the bytes of its files. */
export function shownForm(form: Form | null) {
  return (
    form && Object.entries(form).map(([name, value]) => [name, [value].flat().map((one) => ofValue(one as FormValue))])
  )
}

function ofValue(value: FormValue) {
  if (typeof value === 'string') return value
  const { filename, mimetype, size, sha256 } = value
  return { filename, mimetype, size, sha256 }
}
