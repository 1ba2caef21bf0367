import type { Test } from 'tap'
import type { Plan } from '../../src/world/scenarios/playback.js'
import type { World } from '../../src/world/world.js'
import { build, type Server, type Settings } from '../helper.js'

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

/** The plans for the first calls of a world, as they would be; by a scenario of that name, or by those that are on. */
export function plansOf({ playback }: World, count: number, name?: string): (Plan | undefined)[] {
  const request = { query: {}, path: {}, headers: {}, body: {}, token: undefined }
  return Array.from({ length: count }, () => {
    const plan = playback.choose('listCreditHistories', request, name)
    plan?.spend()
    return plan
  })
}

/** All that operations may change, as text. */
export function traces({ worlds: { root } }: Server): string {
  return JSON.stringify([root.state.export(), root.outbox.messages()])
}
