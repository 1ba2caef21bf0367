import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import type { TSchema } from '@sinclair/typebox'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { contracts as all } from '../schemas/contracts.js'
import type { Fixtures } from '../schemas/plain.js'
import { api as documentedApi } from '../src/api/index.js'
import type { Contract } from '../src/engine/contract/contract.js'
import { isFile } from '../src/engine/contract/fields.js'
import type { Coverage, ExchangeEntry, Message } from '../src/index.js'
import { createServer, type ServerParts, type Server as WholeServer } from '../src/server/create-server.js'
import type { Settings } from '../src/server/settings.js'
import { resolveSettings } from '../src/server/settings.js'

export type { ServerParts, Settings }
export type Server = Pick<WholeServer, 'app' | 'listen' | 'close'>

export const contracts: readonly Contract[] = all

export async function build(
  t: Test,
  overrides: Partial<Settings> = {},
  parts: ServerParts = {},
  api = documentedApi,
): Promise<Server> {
  const secrets = [overrides.adminToken, overrides.providerToken].filter((token) => token !== undefined)
  const defaults = resolveSettings(api, {}, {}, { file: undefined, config: {} })
  const settings = { ...defaults, port: 0, watch: false, secrets, ...overrides }
  const server = await createServer(api, settings, parts)
  t.teardown(() => server.close())
  return server
}

export interface FilePart {
  readonly filename: string
  readonly type: string
  readonly content: Uint8Array
}

type Value = string | number | FilePart
/** A list sends its name several times; undefined omits it. */
type Values = Readonly<Record<string, Value | readonly Value[] | undefined>>

export interface Changes {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Values
  readonly form?: Values
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly sandbox?: string
}

const FILES = new URL('../fixtures/files/', import.meta.url)

export function fixtureFile(filename: string, type = 'application/octet-stream'): FilePart {
  return { filename, type, content: readFileSync(new URL(filename, FILES)) }
}

export function fileOf(
  content: string | Uint8Array,
  filename = 'file.bin',
  type = 'application/octet-stream',
): FilePart {
  return { filename, type, content: Buffer.from(content) }
}

const sampleFiles: Readonly<Record<string, string>> = {
  'image/png': 'signature.png',
  'application/pdf': 'verified.pdf',
}

/** Examples of all parameters, optional ones too; they refer to records of the default fixtures. */
function examples(schema: Contract['query'] | undefined): Record<string, Value> {
  const properties = Object.entries((schema?.properties ?? {}) as Record<string, TSchema>)
  return Object.fromEntries(properties.map(([name, property]) => [name, exampleOf(property)]))
}

function exampleOf(property: TSchema): Value {
  if (isFile(property)) return fixtureFile(sampleFiles[property.contentMediaType] as string, property.contentMediaType)
  return property.examples[0]
}

/** A request with all parameters and these changes; without changes, the operation answers 200. */
export function requestOf(contract: Contract, changes: Changes = {}): InjectOptions & { url: string } {
  const params = { ...examples(contract.params), ...changes.params }
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const query = pairs({ ...examples(contract.query), ...changes.query })
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&')
  const form = contract.form && multipart(pairs({ ...examples(contract.form), ...changes.form }))
  const headers = { authorization: 'Bearer token-admin', ...form?.headers, ...changes.headers }
  return {
    method: contract.method,
    url: `${changes.sandbox === undefined ? '' : `/~${changes.sandbox}`}${path}${query && `?${query}`}`,
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
    ...(form && { payload: form.body }),
  }
}

export function send({ app }: Server, contract: Contract, changes?: Changes): Promise<LightMyRequestResponse> {
  return app.inject(requestOf(contract, changes))
}

export function sendTo(base: string, contract: Contract, changes?: Changes, init: RequestInit = {}): Promise<Answer> {
  const { url, method, headers, payload } = requestOf(contract, changes)
  return fetchUrl(base + url, { method, headers, body: payload, ...init } as RequestInit)
}

function pairs(values: Values): [string, Value][] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value ?? []].flat().map((item): [string, Value] => [name, item as Value]),
  )
}

export const BOUNDARY = 'X'

export function multipart(
  parts: readonly (readonly [string, Value])[],
  boundary = BOUNDARY,
): { readonly headers: { readonly 'content-type': string }; readonly body: Buffer } {
  const chunks = parts.flatMap(([name, value]) => {
    const file = typeof value === 'object' ? `; filename="${value.filename}"\r\nContent-Type: ${value.type}` : ''
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`
    return [head, typeof value === 'object' ? value.content : String(value), '\r\n']
  })
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...chunks, `--${boundary}--\r\n`].map((chunk) => Buffer.from(chunk))),
  }
}

/** An answer as one value to match: `t.match(answerOf(response), { status: 404, body: { code } })`. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly outcome: unknown
  readonly error: unknown
  // biome-ignore lint/suspicious/noExplicitAny: parsed JSON, or text.
  readonly body: any
}

export function answerOf({ statusCode, headers, payload }: LightMyRequestResponse): Answer {
  return toAnswer(statusCode, headers, payload)
}

export async function fetchUrl(url: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(url, init)
  return toAnswer(response.status, Object.fromEntries(response.headers), await response.text())
}

function toAnswer(status: number, headers: Readonly<Record<string, unknown>>, text: string): Answer {
  const body = /json/.test(String(headers['content-type'])) && text !== '' ? JSON.parse(text) : text
  return { status, headers, outcome: headers['x-mock-outcome'], error: headers['x-mock-error'], body }
}

export function messageOf(response: LightMyRequestResponse): string {
  return response.json().error?.message
}

/** Reads and changes a sandbox, or the root, through the admin API. */
export function adminOf({ app }: Server, sandbox?: string) {
  const base = `${sandbox === undefined ? '' : `/~${sandbox}`}/__admin`
  // URLs in answers begin with the host of the request.
  const host = () => {
    const [address] = app.addresses() as AddressInfo[]
    return address === undefined ? 'localhost' : `${address.address}:${address.port}`
  }
  const get = async (path: string) => (await app.inject({ url: `${base}/${path}`, headers: { host: host() } })).json()
  const call = (method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE', path: string, payload?: object) =>
    app.inject({ method, url: `${base}/${path}`, payload })
  const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
  return {
    state: (): Promise<Required<Fixtures>> => get('state'),
    coverage: (): Promise<Coverage> => get('coverage'),
    /** Newest first. */
    requests: async (limit = 1_000): Promise<readonly ExchangeEntry[]> =>
      (await get(`requests?limit=${limit}`)).requests,
    /** Oldest first. */
    mails: async (to?: string): Promise<readonly Message[]> =>
      (await get(to === undefined ? 'outbox' : `outbox?to=${encodeURIComponent(to)}`)).messages,
    active: async () => names((await get('scenarios')).scenarios.filter(({ active }: { active: boolean }) => active)),
    sandboxes: async () => names((await get('sandboxes')).sandboxes),
    activate: (name: string) => call('PUT', `scenarios/${name}`, { active: true }),
    deactivate: (name: string) => call('PUT', `scenarios/${name}`, { active: false }),
    call,
  }
}

export async function lastExchange(server: Server, sandbox?: string): Promise<ExchangeEntry> {
  return (await adminOf(server, sandbox).requests(1))[0] as ExchangeEntry
}

type Field = readonly [name: string, value: string | Blob]

export function formOf(fields: readonly Field[] | Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData()
  for (const [name, value] of Array.isArray(fields) ? (fields as Field[]) : Object.entries(fields))
    form.append(name, value)
  return form
}

export type RuleSource = Readonly<Record<string, unknown>>

/** Writes scenario files to a folder; each content is the text of a file, or only its rules. */
export function folderOf(t: Test, files: Readonly<Record<string, string | readonly RuleSource[]>>): string {
  const entries = Object.entries(files).map(([name, content]) =>
    typeof content === 'string' ? [name, content] : [`${name}.json`, JSON.stringify({ version: 1, rules: content })],
  )
  return t.testdir(Object.fromEntries(entries))
}

/** A server whose only active scenario, 'it', has these rules. */
export function withRules(t: Test, rules: readonly RuleSource[], settings: Partial<Settings> = {}): Promise<Server> {
  return build(t, { scenarios: folderOf(t, { it: rules }), scenario: ['it'], ...settings })
}

export async function stateAndMails(server: Server): Promise<string> {
  return JSON.stringify([await adminOf(server).state(), await adminOf(server).mails()])
}

export const organization = (id: number) => ({
  id,
  uuid: `0d5b8f3e-7a61-4c29-9e84-${String(id).padStart(12, '0')}`,
  name: 'One',
})

export const user = (token: string, organization_id = 1) => ({
  uuid: '8e2f6a1c-4b9d-4d37-a5c8-1f7e3b6d9a40',
  token,
  email: 'ada@example.test',
  first_name: 'Ada',
  last_name: 'Admin',
  user_type: 'ENTERPRISE_API',
  organization_id,
  permissions: [],
})
