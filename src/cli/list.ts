import { describeComplaints } from '../server/complaints-in-words.js'
import { InvalidOption } from '../server/invalid-option.js'
import { didYouMean, quote } from '../text/wording.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { interpretations } from './lists/interpretations.js'
import type { List } from './lists/list.js'
import { mutants } from './lists/mutants.js'
import { operations } from './lists/operations.js'
import { outcomes } from './lists/outcomes.js'
import { scenarioComplaints, scenarios } from './lists/scenarios.js'
import { statements } from './lists/statements.js'
import { tokens } from './lists/tokens.js'
import { type LISTS, manual, SHORT } from './manuals/list.js'
import { readSettings } from './read-settings.js'

/** The lists by name. */
const lists: Readonly<Record<string, List>> = {
  operations,
  outcomes,
  scenarios,
  tokens,
  statements,
  interpretations,
  mutants,
} satisfies Record<keyof typeof LISTS, List>

/** Prints lists, in columns or as JSON: the named ones, or the short ones by default. */
export const list: Command = async (argv, io) => {
  const { options, words, own } = readCommandLine('list', argv, manual.flags)
  const asJson = own.json !== undefined
  const names = words.length > 0 ? words : asJson ? Object.keys(lists) : SHORT
  for (const name of names) requireList(name)
  const settings = await readSettings(options, io)
  const found = new Map<string, readonly object[]>()
  for (const name of names) found.set(name, await lists[name]!.data(settings))
  if (asJson) io.out(JSON.stringify(words.length === 1 ? found.get(words[0]!) : Object.fromEntries(found), null, 2))
  else for (const name of names) io.out(inColumns(name, found.get(name)!))
  const complaints = names.includes('scenarios') ? await scenarioComplaints(settings) : []
  if (complaints.length > 0) io.err(await describeComplaints(complaints, settings))
  return complaints.length === 0 ? 0 : 1
}

function requireList(name: string): void {
  if (Object.hasOwn(lists, name)) return
  const known = Object.keys(lists)
  throw new InvalidOption(
    `There is no list named ${quote(name)}.${didYouMean(name, known)} Available: ${known.join(', ')}.`,
  )
}

function inColumns(name: string, data: readonly object[]): string {
  // Each list has lines for what it lists.
  const rows = data.flatMap((one) => lists[name]!.lines(one as never))
  return [`${name[0]?.toUpperCase()}${name.slice(1)}`, ...columns(rows), ''].join('\n')
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}
