import type { FastifyRequest } from 'fastify'
import type { Contract } from '../../../schemas/contract.js'
import { isObject } from '../../text/json.js'
import { quote } from '../../text/wording.js'
import { requirePlainBody } from './encodings.js'
import { SEND_JSON, UnreadableBody } from './unreadable-body.js'

/** Objects and lists within each other, beyond which nobody means a request. */
const DEEPEST = 100

/**
 * Reads an application/json body, which is an object; no body at all is an empty one.
 * @throws {UnreadableBody} for a body that is not JSON, or no object
 */
export function readJson(
  request: FastifyRequest,
  bytes: Buffer,
  contract: Contract,
): Readonly<Record<string, unknown>> {
  const { 'content-type': type } = request.headers
  const refuse = (code: string, message: string) =>
    new UnreadableBody(code, message, SEND_JSON, { cites: [contract.cites[0]] })
  if (type === undefined && bytes.byteLength === 0) return {}
  if (type === undefined) throw refuse('no-content-type', 'The body has no Content-Type: send application/json.')
  if (!/^\s*application\/json\s*(?:;|$)/i.test(type)) {
    throw refuse('not-json', `The body is sent as '${type}', but the operation takes application/json.`)
  }
  requirePlainBody(request.headers)
  const value = parsed(request, bytes)
  if (value === undefined) throw refuse('invalid-json', whyNotJson(bytes))
  if (!isObject(value)) throw refuse('not-an-object', `The body must be a JSON object, not ${quote(value)}.`)
  if (!isWithin(value, DEEPEST))
    throw refuse('too-deeply-nested', `The body is nested more than ${DEEPEST} levels deep.`)
  return value
}

/** What Fastify's own parser makes of a body: it refuses `__proto__` and the like, which handlers may copy. */
function parsed(request: FastifyRequest, bytes: Buffer): unknown {
  let value: unknown
  const text = utf8(bytes)
  if (text === undefined) return undefined
  const parse = request.server.getDefaultJsonParser('error', 'error')
  void parse(request, text, (error, body) => {
    value = error === null ? body : undefined
  })
  return value
}

function utf8(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function whyNotJson(bytes: Buffer): string {
  return bytes.byteLength === 0
    ? 'The body is empty, but its Content-Type is application/json.'
    : `The body is not valid JSON: ${quote(String(bytes))}.`
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every((one) => isWithin(one, levels - 1))
}
