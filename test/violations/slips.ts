import type { TSchema } from '@sinclair/typebox'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import type { Changes } from '../helper.js'

/** What a client means to send, which differs from every sample where it can. */
const MEANT: Readonly<Record<string, string>> = {
  first_name: 'Zoëlle',
  last_name: 'Okonkwo',
  role: 'Admin',
  code: 'CLIENT-77',
  source: 'tablet',
  uuid: 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11',
  type: 'initials',
  page: '3',
  per_page: '7',
  user_type: 'ENTERPRISE_API',
  sort: 'amount',
  order: 'asc',
  email: 'someone.else@client.example',
  'keyword[sample_1]': 'harbour',
  'keyword[sample_2]': 'office',
  'keyword[sample_3]': 'lift',
  'data[0][email]': 'someone.else@client.example',
  'data[0][first_name]': 'Zoëlle',
  'data[0][last_name]': 'Okonkwo',
  'data[0][role]': 'Admin',
  subOrgMemberId: '102',
}

type Part = 'query' | 'form'

export interface Field {
  readonly part: Part
  readonly name: string
  readonly value: string
  readonly schema: TSchema
}

const meantFor = (name: string, schema: TSchema) => MEANT[name] ?? String(schema.examples?.[0])

/** The texts that a call of an operation sends, and its path variables. */
export function meantBy(contract: Contract): { readonly fields: readonly Field[]; readonly changes: Changes } {
  const fields = (['query', 'form'] as const).flatMap((part) =>
    Object.entries<TSchema>(contract[part]?.properties ?? {})
      .filter(([, schema]) => !isFile(schema))
      .map(([name, schema]) => ({ part, name, schema, value: meantFor(name, schema) })),
  )
  const of = (part: Part) =>
    Object.fromEntries(fields.filter((one) => one.part === part).map(({ name, value }) => [name, value]))
  const variables = Object.entries<TSchema>(contract.params.properties)
  const params = Object.fromEntries(variables.map(([name, schema]) => [name, meantFor(name, schema)]))
  return { fields, changes: { params, query: of('query'), form: of('form') } }
}

/** A slip of a field: what is sent in its place, or in another part. */
export interface Slip {
  readonly name: string
  readonly sent: Readonly<Record<string, string | readonly string[]>>
  readonly elsewhere?: Readonly<Record<string, string>>
  /** Whether the value that was meant can be known. */
  readonly isKnown: boolean
}

const camel = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
const bare = (name: string) => name.match(/\w+(?=\]?$)/)?.[0] ?? name

/** Every slip of a field: of its name, its place, its number and its value. */
export function slipsOf(contract: Contract, { part, name, value, schema }: Field): readonly Slip[] {
  const named = (what: string, other: string): Slip[] =>
    other === name || Object.hasOwn(contract[part]?.properties ?? {}, other)
      ? []
      : [{ name: `${what} '${other}'`, sent: { [other]: value }, isKnown: true }]
  const valued = (what: string, other: string, isKnown: boolean): Slip => {
    return { name: `${what} (${other})`, sent: { [name]: other }, isKnown }
  }
  const isClosed = Array.isArray(schema.enum) || schema.format !== undefined || schema.type === 'integer'
  const hasOtherPart = part === 'form' || contract.form !== undefined
  return [
    ...named('camel case', camel(name)),
    ...named('capitals', name.toUpperCase()),
    ...named('hyphens', name.replaceAll('_', '-')),
    ...named('nested', `member[${bare(name)}]`),
    ...named('escaped', encodeURIComponent(name)),
    ...named('out of HTML', `amp;${name}`),
    ...named('as a list', `${name}[]`),
    ...(name.length > 4 ? named('a letter twice', `${name.slice(0, 2)}${name.slice(1)}`) : []),
    ...(hasOtherPart ? [{ name: 'in the other part', sent: {}, elsewhere: { [name]: value }, isKnown: true }] : []),
    { name: 'twice', sent: { [name]: [value, value] }, isKnown: true },
    valued('in quotes', `"${value}"`, isClosed),
    valued('with blanks', ` ${value} `, isClosed),
    ...(schema.format === 'uuid' ? [valued('in braces', `{${value}}`, true)] : []),
    ...(schema.format === 'email' ? [valued('with a stray character', `${value}?`, true)] : []),
    ...(Array.isArray(schema.enum) ? [valued('in small letters', value.toLowerCase(), true)] : []),
    valued('undefined', 'undefined', false),
    valued('an object', '[object Object]', false),
    ...(isClosed ? [valued('of another kind', '%%%', false)] : []),
    { name: 'missing', sent: {}, isKnown: false },
  ].filter(({ sent }) => sent[name] !== value)
}

/** The words of a line for a POSIX shell that has nothing but quotes in it. */
export function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"|\\(.)/g, (_, single, double, escaped) => single ?? double ?? escaped),
  )
}

/** A line for curl: its method, its URL, and what it sends. */
export function readLine(line: string) {
  const [, ...words] = wordsOf(line)
  const after = (flag: string) => words.flatMap((word, at) => (words[at - 1] === flag ? [word] : []))
  const url = new URL(words.find((word) => word.startsWith('http')) as string)
  const form = [...after('-F'), ...after('--form-string')].map((pair) => pair.split(/=(.*)/s, 2))
  const query = Object.fromEntries(url.searchParams)
  return { method: after('-X')[0] ?? 'GET', url, query, form: Object.fromEntries(form) as typeof query }
}
