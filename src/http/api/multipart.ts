import { Busboy, type BusboyConfig, type BusboyInstance } from '@fastify/busboy'
import type { FastifyRequest } from 'fastify'
import { unreadable, unreadableTo } from './unreadable-form.js'

/** One part of a form: its name, literally, and its text or its file. */
export interface MultipartPart {
  readonly name: string
  readonly value: string | PartFile
}

export interface PartFile {
  readonly filename: string
  readonly mimetype: string
  content: Uint8Array
}

/** The options of the multipart parser. */
export type ParserOptions = Omit<BusboyConfig, 'headers'>

const EMPTY = new Uint8Array()

/**
 * Reads the parts of a body in their order; files stay in memory. The parser is that of @fastify/multipart, fed here:
 * passing files on as streams, which no caller needs, costs more than all of its parsing (docs/decisions/005).
 * @throws {UnreadableForm} for a body that is not a well-formed form
 */
export function readParts(
  { headers }: FastifyRequest,
  body: Uint8Array,
  options: ParserOptions,
): Promise<MultipartPart[]> {
  return new Promise((resolve, fail) => {
    const parts: MultipartPart[] = []
    const parser = parserOf(headers as BusboyConfig['headers'], options)
    // An empty body is an empty form.
    if (body.byteLength === 0) return resolve(parts)
    parser.on('field', (name = '', text, _nameCut, _textCut, _encoding, type) => {
      const value = type.startsWith('application/json') ? textOfJson(text) : text
      if (value === undefined) fail(unreadable('unreadable-part'))
      else parts.push({ name, value })
    })
    parser.on('file', (name = '', stream, filename = '', _encoding, mimetype) => {
      const value: PartFile = { filename, mimetype, content: EMPTY }
      parts.push({ name, value })
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        value.content = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
      })
      stream.on('error', (error: Error) => fail(unreadableTo(error)))
    })
    for (const limit of ['partsLimit', 'fieldsLimit'] as const) {
      parser.on(limit, () => fail(unreadable('too-many-parts')))
    }
    parser.on('error', (error: Error) => fail(unreadableTo(error)))
    parser.on('finish', () => resolve(parts))
    parser.end(body)
  })
}

/** @throws {UnreadableForm} for headers that do not say where parts begin */
function parserOf(headers: BusboyConfig['headers'], options: ParserOptions): BusboyInstance {
  try {
    return new Busboy({ ...options, headers })
  } catch (error) {
    throw unreadableTo(error as Error)
  }
}

/** A part of JSON as text, which all fields of this API are: a string as it is, anything else written out. */
function textOfJson(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch {
    return undefined
  }
}
