import type { FastifyRequest } from 'fastify'
import type { Form, FormValue, UploadedFile } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import { LONGEST } from './correction.js'
import { isForm, readForm } from './form.js'

/** A boundary, and the head of the first part. */
const FORM_BEGINS = /^--([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])\r\nContent-Disposition: *form-data/i
const LONGEST_BEGIN = 200

/**
 * The form that a body is, of whatever operation and whatever its header says, without its files' contents; null for
 * what is none, and for one that is too long to be corrected.
 */
export async function formMeant(request: FastifyRequest, bytes: Buffer, contract: Contract): Promise<Form | null> {
  const [, boundary] = FORM_BEGINS.exec(bytes.subarray(0, LONGEST_BEGIN).toString('latin1')) ?? []
  const found = boundary && { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  const headers = { ...request.headers, ...found }
  if (!isForm(headers['content-type'])) return null
  const form = await readForm({ request, headers }, bytes, contract).catch(() => null)
  if (form === null) return null
  const texts = Object.values(form)
    .flat()
    .filter((value) => typeof value === 'string')
  if (texts.reduce((sum, { length }) => sum + length, 0) > LONGEST) return null
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, withoutContents(value)]))
}

const NOTHING = new Uint8Array()

function withoutContents(value: Form[string]): Form[string] {
  if (Array.isArray(value)) return value.map((one: FormValue) => withoutContents(one) as FormValue)
  return typeof value === 'string' ? value : { ...(value as UploadedFile), content: NOTHING }
}
