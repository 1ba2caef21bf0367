import type { Test } from 'tap'
import { adminOf, build, type Server, type Settings } from '../helper.js'

/** A rule as it stands in a file. */
export type Written = Readonly<Record<string, unknown>>

/** A folder of scenario files; each is named after its key, and holds text or the rules alone. */
export function folderOf(t: Test, files: Readonly<Record<string, string | readonly Written[]>>): string {
  const entries = Object.entries(files).map(([name, content]) =>
    typeof content === 'string' ? [name, content] : [`${name}.json`, JSON.stringify({ version: 1, rules: content })],
  )
  return t.testdir(Object.fromEntries(entries))
}

/** A server on which the scenario of these rules, called 'it', is on. */
export function playing(t: Test, rules: readonly Written[], settings: Partial<Settings> = {}): Promise<Server> {
  return build(t, { scenarios: folderOf(t, { it: rules }), scenario: ['it'], ...settings })
}

/** All that operations may change, as text. */
export async function traces(server: Server): Promise<string> {
  return JSON.stringify([await adminOf(server).state(), await adminOf(server).mails()])
}
