import { basename } from 'node:path'
import type { Complaint } from '../text/invalid-files.js'
import { quote } from '../text/wording.js'
import type { Library } from '../world/scenarios/library.js'
import { nameOf } from '../world/scenarios/load.js'
import type { Settings } from '../world/settings.js'
import { describeComplaints, type FileNames } from './complaints-in-words.js'

/** What happened to the config file. */
export function describeConfig(before: string | undefined, now: string | undefined): string {
  if (now !== undefined) return `${basename(now)} was edited.`
  return `${before === undefined ? 'The config file' : basename(before)} no longer exists, so the defaults apply.`
}

/** Where calls go after an edit, if that has changed. */
export function describeForwarding(before: Settings, { provider, fallback }: Settings): string[] {
  if (before.provider === provider && before.fallback === fallback) return []
  if (provider === undefined)
    return before.provider === undefined ? [] : ['Calls are no longer forwarded: the mock answers them.']
  return [`Calls are forwarded to ${provider}${fallback ? '; while it cannot be reached, the mock answers' : ''}.`]
}

/** The scenarios from files that were added, removed or changed. */
export function changesOf(before: Library, now: Library): string[] {
  const names = [...now.all(), ...before.all()].filter(({ forces }) => forces === undefined).map(({ name }) => name)
  return [...new Set(names)].flatMap((name) => {
    const [old, scenario] = [before.find(name), now.find(name)]
    // What is shipped is read when it is first wanted, and was there before.
    if (old === scenario || (old === undefined && scenario?.source === 'shipped')) return []
    const what = scenario === undefined ? 'was removed' : old === undefined ? 'was added' : 'was edited'
    return [`The scenario ${quote(name)} ${what}.`]
  })
}

const LAST_GOOD = 'Its last good version stays in use.'
const SHIPPED = 'The shipped scenario of this name stays in use.'

/** What is wrong with a scenario file, and what plays in its place. */
export async function describeEdit(complaint: Complaint, names: FileNames, before: Library): Promise<string> {
  return `${await describeComplaints([complaint], names)}\n${inUse(complaint, before)}`
}

function inUse({ subject, reason, file }: Complaint, before: Library): string {
  if (subject === 'scenarios' && reason === 'ENOENT') return 'Its scenarios are gone until it is there again.'
  // A folder that cannot be read leaves all as it was.
  if (subject === 'scenarios') return LAST_GOOD
  const stays = before.find(nameOf(file))
  if (stays === undefined) return 'It is not in use.'
  return stays.source === 'shipped' ? SHIPPED : LAST_GOOD
}
