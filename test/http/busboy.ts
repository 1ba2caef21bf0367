import { setImmediate as turn } from 'node:timers/promises'
import { Busboy } from '@fastify/busboy'
import { type Reading, shownPart } from './reading.js'

const NO_LIMIT = Number.POSITIVE_INFINITY
/** Bytes that it gets at a time: it waits for ever once it has dropped a part of more than 16 KiB that came at once. */
const MOST_AT_ONCE = 8_192

/** Parts as they come; the bytes of a file follow its head. */
interface Coming {
  readonly name: string
  readonly value: string | { readonly filename: string; readonly mimetype: string; readonly content: Buffer[] }
}

/**
 * What the parser of @fastify/multipart makes of a body that comes in these pieces, with what that plugin adds: an empty
 * body is an empty form, reserved names are refused, and JSON is decoded.
 */
export async function readByBusboy(
  pieces: readonly Uint8Array[],
  type: string,
  files: ReadonlySet<string>,
): Promise<Reading> {
  const parts: Coming[] = []
  let refused: string | undefined
  let ended = false
  const complain = ({ message }: Error) => {
    refused ??= message
  }
  try {
    const parser = new Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name = '', _type, filename) => filename !== undefined || files.has(name),
      limits: { fieldSize: NO_LIMIT, headerPairs: NO_LIMIT, headerSize: NO_LIMIT },
    })
    parser.on('field', (name = '', value, _nameCut, _valueCut, _encoding, mimetype) => {
      parts.push({ name, value: mimetype === 'application/json' ? textOfJson(value, complain) : value })
    })
    parser.on('file', (name = '', stream, filename = '', _encoding, mimetype) => {
      const content: Buffer[] = []
      parts.push({ name, value: { filename, mimetype, content } })
      stream.on('data', (chunk) => content.push(chunk)).on('error', complain)
    })
    parser.on('error', complain).on('finish', () => {
      ended = true
    })
    for (const piece of pieces.flatMap(shortened)) {
      parser.write(piece)
      if (piece.length === MOST_AT_ONCE) await turn()
    }
    parser.end()
  } catch (error) {
    return { refused: (error as Error).message }
  }
  // All that it will ever do, it does in this turn of the event loop.
  await turn()
  if (pieces.every(({ length }) => length === 0)) return { parts: [] }
  if (!ended && refused === undefined) throw new Error('The parser of @fastify/multipart does not end.')
  if (parts.some(({ name }) => name in Object.prototype)) refused ??= 'reserved name'
  return refused === undefined ? { parts: parts.map((part) => shownPart(whole(part))) } : { refused }
}

function shortened(piece: Uint8Array): Uint8Array[] {
  return Array.from({ length: Math.ceil(piece.length / MOST_AT_ONCE) }, (_, nth) =>
    piece.subarray(nth * MOST_AT_ONCE, (nth + 1) * MOST_AT_ONCE),
  )
}

function whole({ name, value }: Coming) {
  return { name, value: typeof value === 'string' ? value : { ...value, content: Buffer.concat(value.content) } }
}

function textOfJson(json: string, complain: (error: Error) => void): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : JSON.stringify(value)
  } catch (error) {
    complain(error as Error)
    return json
  }
}
