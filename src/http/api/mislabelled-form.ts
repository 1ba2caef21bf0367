import type { Form, FormValue } from '../../../schemas/common.js'
import { ReceivedFile } from './read-form.js'

/** A boundary, and the head of the first part. */
const FORM_BEGINS = /^--([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\r\nContent-Disposition: *form-data/i
const LONGEST_BEGIN = 200
/** Bytes beyond which no form is corrected. */
const LONGEST = 1024 * 1024

const EMPTY = new Uint8Array()

/** The form that a body is though its Content-Type does not say so, without the contents of files; null if it is none. */
export async function parseMislabelledForm(bytes: Buffer): Promise<Form | null> {
  if (bytes.byteLength > LONGEST) return null
  const text = bytes.toString('latin1')
  const [, boundary] = FORM_BEGINS.exec(text.slice(0, LONGEST_BEGIN)) ?? []
  if (boundary === undefined) return null
  const body = Buffer.from(text.replaceAll(`--${boundary}`, `--${BOUNDARY}`), 'latin1')
  const response = new Response(body, { headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } })
  const data = await response.formData().catch(() => undefined)
  if (data === undefined) return null
  const names = [...new Set(data.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = data.getAll(name).map(asField)
      return [name, values.length === 1 ? (values[0] as FormValue) : values]
    }),
  )
}

/** `Response.formData` takes boundaries of 27 to 70 characters. */
const BOUNDARY = 'countersign-reads-a-mislabelled-form'

function asField(value: string | File): FormValue {
  return typeof value === 'string' ? value : new ReceivedFile(value.name, value.type, EMPTY)
}
