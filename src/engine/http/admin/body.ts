import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { isExact, isNestedDeeply, isUnwieldy, numbersIn, repeatedKeyIn, UNWIELDY } from '../../contract/json.js'
import { quote } from '../../contract/wording.js'
import { Problem } from '../problems.js'
import { readRawBody } from '../raw-body.js'

export class YamlText {
  constructor(readonly text: string) {}
}

const YAML = /^(?:application|text)\/(?:x-)?yaml\b/i

/** Accepts JSON with any Content-Type, since `curl -d` declares a form; YAML must be declared. */
export async function readAdminBody(request: FastifyRequest): Promise<unknown> {
  const bytes = await readRawBody(request)
  if (!isUtf8(bytes)) throw new Problem('invalid-input', 'The body is not in UTF-8: send it in UTF-8.')
  const text = String(bytes)
  if (YAML.test(request.headers['content-type'] ?? '')) return new YamlText(text)
  if (isNestedDeeply(text)) throw new Problem('invalid-input', 'The body is nested too deeply.')
  try {
    if (text === '') return undefined
    const body = JSON.parse(text)
    for (const one of numbersIn(text)) if (!isExact(one)) throw new Problem('invalid-input', inexact(one))
    if (isUnwieldy(body)) throw new Problem('invalid-input', `The body ${UNWIELDY}.`)
    const repeated = repeatedKeyIn(text)
    if (repeated !== undefined) throw new Problem('invalid-input', `Duplicate key ${quote(repeated.key)}; remove one.`)
    return body
  } catch (error) {
    if (error instanceof Problem) throw error
    if (request.routeOptions.config.access === 'login') return Object.fromEntries(new URLSearchParams(text))
    const hint = /^\s*[[{"]/.test(text) ? '' : ' Send YAML as application/yaml.'
    throw new Problem('invalid-input', `The body is not JSON: ${(error as Error).message}.${hint}`)
  }
}

const inexact = (number: string) =>
  `The number ${number} would become ${Number(number)}: write one that JavaScript can hold.`
