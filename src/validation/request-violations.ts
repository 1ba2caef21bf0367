import type { TSchema } from '@sinclair/typebox'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { allowed, quote } from '../text/wording.js'
import { checkOf, type Departure } from './check.js'
import { unknownKey } from './lint.js'
import type { Violation } from './violation.js'

/** The parts of a request that a contract speaks of. */
const parts = {
  params: { place: 'path', words: 'path variable' },
  query: { place: 'query', words: 'query parameter' },
  form: { place: 'form', words: 'form field' },
} as const

export type RequestPart = keyof typeof parts

/** Every way in which one part of a request is missing something or invalid. */
export function violationsIn(contract: Contract, part: RequestPart, value: unknown): Violation[] {
  const schema = contract[part]
  if (schema === undefined) return []
  const complaints = checkOf(schema)(value)
  return unique(complaints).map((complaint) => violation(contract, part, complaint))
}

/** One complaint a name: the first one says enough. */
function unique(complaints: readonly Departure[]): Departure[] {
  const seen = new Set<string>()
  return complaints.filter(({ path }) => {
    const name = path[0] ?? ''
    return !seen.has(name) && seen.add(name)
  })
}

function violation(contract: Contract, part: RequestPart, { path, keyword, value: given }: Departure): Violation {
  const { place, words } = parts[part]
  const name = path[0] ?? ''
  const schema = (contract[part]?.properties[name] ?? {}) as TSchema
  const expected = allowed(schema)
  const where = `${place}.${name}`
  const rule = ruleOf(contract, part, name)
  const fix = example(contract, part, name, schema)
  if (part !== 'params' && !Object.hasOwn(contract[part]?.properties ?? {}, name)) {
    return unknownKey(name, Object.keys(contract[part]?.properties ?? {}), part, contract)
  }
  if (given === '' && keyword !== 'required') {
    const keep = contract[part]?.required?.includes(name)
      ? `send ${expected}`
      : contract.method === 'PUT'
        ? 'leave it out to keep what is there'
        : 'leave it out'
    return {
      code: 'empty-parameter',
      message: `The ${words} '${name}' must be ${expected}, not empty (''): ${keep}.`,
      where,
      fix,
      rule,
    }
  }
  if (keyword === 'required') {
    return {
      code: 'missing-parameter',
      message: `The ${words} '${name}' is missing: send ${expected}.`,
      where,
      fix,
      rule,
    }
  }
  if (Array.isArray(given)) {
    const message = `The ${words} '${name}' was sent ${given.length} times (${quote(given)}): send it once.`
    return { code: 'repeated-parameter', message, where, fix, rule }
  }
  return {
    code: 'invalid-parameter',
    message: `The ${words} '${name}' must be ${expected}, not ${quote(given)}.`,
    where,
    fix,
    rule,
  }
}

/** The document's rule for a parameter, with its section. */
function ruleOf(contract: Contract, part: RequestPart, name: string): string {
  const schema = contract[part]
  const property = schema?.properties[name] as TSchema | undefined
  const required = schema?.required?.includes(name) ? 'required' : 'optional'
  const description = property?.description === undefined ? '' : ` ${property.description}`
  return `Endpoints, ${contract.section}. ${contract.summary}: \`${name}\`, ${required}.${description}`
}

/** A parameter as it should be sent. */
function example(contract: Contract, part: RequestPart, name: string, schema: TSchema): string {
  const sample = String(schema.examples?.[0] ?? schema.enum?.[0] ?? 'VALUE')
  if (part === 'query') return `?${encodeURI(name)}=${encodeURIComponent(sample)}`
  if (part === 'params') {
    return contract.path.replaceAll(/\{(\w+)\}/g, (_, one) => contract.params.properties[one]?.examples?.[0])
  }
  return isFile(schema)
    ? `-F '${name}=@FILE;type=${schema.contentMediaType}'`
    : `-F '${name}=${sample.replaceAll("'", "'\\''")}'`
}
