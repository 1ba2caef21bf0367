import { join } from 'node:path'
import type { Test } from 'tap'
import { folder, type Place, UNHOOKED } from '../binary.js'
import { run } from '../command-line.js'

/** A client: it sends what its argument lists, one after another, and ends well. */
const CLIENT = `
const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
for (const { path, method = 'GET', headers, form, text } of JSON.parse(process.argv[2])) {
  const body = form && new FormData()
  for (const [name, value] of Object.entries(form ?? {})) body.append(name, value)
  const all = { authorization: 'Bearer ' + token, ...headers }
  if (all.authorization === null) delete all.authorization
  await fetch(url + path, { method, headers: all, body: body ?? text }).then((one) => one.text(), () => {})
}`

export interface Sent {
  readonly path: string
  readonly method?: string
  /** `authorization: null` sends none. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly form?: Readonly<Record<string, string>>
  readonly text?: string
}

export const HISTORIES =
  '/api/v2/credits/histories?page=1&per_page=5&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
export const MEMBER =
  '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101?user_type=ENTERPRISE_API'
export const INVITE = '/api/v2/organization/members/add?user_type=ENTERPRISE_API'

/** The command line that runs a client under exec. */
export function withClient(t: Test, args: readonly string[], sent: readonly Sent[]): string[] {
  const client = join(folder(t, { 'client.mjs': CLIENT }), 'client.mjs')
  return ['exec', ...args, '--', process.execPath, client, JSON.stringify(sent)]
}

/** Runs exec in this process; what its child prints goes where the tests' own results go, so it must print nothing. */
export function exec(t: Test, args: readonly string[], place?: Place) {
  const unhooked = args.flatMap((word) => (word === process.execPath ? [...UNHOOKED, word] : word))
  return run(t, unhooked, place)
}

export const judge = (t: Test, args: readonly string[], sent: readonly Sent[], place?: Place) =>
  exec(t, withClient(t, args, sent), place)

export const node = (script: string) => ['--', process.execPath, '-e', script]
