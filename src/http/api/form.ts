import type { TSchema } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Form, type FormValue, isFile, type UploadedFile } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import { sha256 } from '../../text/digest.js'
import { receiveBody } from '../body.js'
import { type ParserOptions, type PartFile, readParts } from './multipart.js'
import { LONGEST_NAME, MOST_PARTS, UnreadableForm, unreadable } from './unreadable-form.js'

/**
 * Reads a multipart/form-data body to its flat, literal part names.
 * @throws {UnreadableForm} for a body that is not a well-formed form
 * @throws {Problem} for a body over `limit` bytes
 */
export async function readForm(request: FastifyRequest, contract: Contract, limit: number): Promise<Form> {
  if (!request.isMultipart()) return noForm(request)
  const form: Record<string, FormValue | FormValue[]> = Object.create(null)
  for (const { name, value } of await readParts(request, await receiveBody(request.raw, limit), optionsOf(contract))) {
    checkName(name)
    if (typeof value === 'string') add(form, name, value)
    // What an HTML form sends for a file input that was left empty (I-20).
    else if (value.filename !== '' || value.content.byteLength > 0) add(form, name, uploaded(value))
  }
  return form
}

const parserOptions = new WeakMap<Contract, ParserOptions>()

/** Fields that the document calls files are read as such, whatever headers their parts carry; made once per contract. */
function optionsOf(contract: Contract): ParserOptions {
  let options = parserOptions.get(contract)
  if (options === undefined) {
    const properties = contract.form?.properties ?? {}
    const files = new Set(Object.keys(properties).filter((name) => isFile(properties[name] as TSchema)))
    options = {
      limits: { fieldSize: Number.POSITIVE_INFINITY, parts: MOST_PARTS },
      isPartAFile: (name = '', _type, filename) => filename !== undefined || files.has(name),
    }
    parserOptions.set(contract, options)
  }
  return options
}

function noForm({ headers, body }: FastifyRequest): Form {
  const type = headers['content-type']
  const empty = body === undefined || body === '' || body === null
  if (empty && type === undefined) return {}
  if (type === undefined) throw unreadable('no-content-type')
  throw new UnreadableForm(
    'not-multipart',
    `The body is sent as '${type}', but the operation takes multipart/form-data.`,
    'Send a FormData object (or curl -F), and set no Content-Type by hand.',
  )
}

function checkName(name: string): void {
  if (name === '') throw unreadable('nameless-part')
  if (name.length > LONGEST_NAME) throw unreadable('part-name-too-long')
  if (name in Object.prototype) throw unreadable('reserved-part-name')
}

function add(form: Record<string, FormValue | FormValue[]>, name: string, value: FormValue): void {
  const known = form[name]
  if (known === undefined) form[name] = value
  else if (Array.isArray(known)) known.push(value)
  else form[name] = [known, value]
}

function uploaded({ filename, mimetype, content }: PartFile): UploadedFile {
  return { filename, mimetype, size: content.byteLength, content, sha256: sha256(content) }
}
