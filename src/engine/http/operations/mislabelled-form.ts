import type { Form, FormValue } from '../../contract/fields.js'
import { groupBy } from '../../contract/group-by.js'
import { receivedFile } from './received-file.js'

const FORM_BEGINNING = /^--([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\r\nContent-Disposition: *form-data/i
const LONGEST_FORM = 1024 * 1024

/** Parses a multipart body whose Content-Type is wrong or lacks the boundary; drops file contents. */
export async function parseMislabelledForm(bytes: Buffer): Promise<Form | null> {
  if (bytes.byteLength > LONGEST_FORM) return null
  const text = bytes.toString('latin1')
  const [, boundary] = FORM_BEGINNING.exec(text) ?? []
  if (boundary === undefined) return null
  const body = Buffer.from(text.replaceAll(`--${boundary}`, `--${BOUNDARY}`), 'latin1')
  const response = new Response(body, { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } })
  const data = await response.formData().catch(() => undefined)
  if (data === undefined) return null
  const formValue = (value: string | File): FormValue =>
    typeof value === 'string' ? value : receivedFile(value.name, value.type, Buffer.alloc(0))
  const byName = groupBy(data, ([name]) => name)
  return Object.fromEntries(Array.from(byName, ([name, pairs]) => [name, pairs.map(([, value]) => formValue(value))]))
}

/** `Response.formData` requires 27 to 70 characters. */
const BOUNDARY = 'countersign-reads-a-mislabelled-form'
