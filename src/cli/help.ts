import type { OptionName } from '../../schemas/config.js'
import { flagOf, optionNames } from '../server/options.js'
import { commands } from './commands.js'
import { description, type FlagTable, written } from './flags/flag.js'
import { optionFlag } from './flags/option-flag.js'
import type { Manual, Section } from './manual.js'

/** The widest line. */
const WIDTH = 118

/** What `--help` prints: every command, and the options of `start`. */
export function overview(): string {
  const options = optionNames.map((name) => [name, true] as const)
  return [
    'countersign: a local server that stands in for the Enterprise Document Signing and Protection API',
    '',
    'Usage: countersign [COMMAND] [options]',
    '',
    'Commands',
    ...columns(Object.values(commands).map(({ usage, does }) => [usage, does])),
    '',
    ...optionSection('Options of start', Object.fromEntries(options), true),
    '',
    'More help',
    ...columns([
      ['countersign help COMMAND', 'the flags of a command, with examples'],
      ['countersign --version', 'the version of countersign'],
    ]),
  ].join('\n')
}

/** What `help COMMAND` prints. */
export async function helpOf(name: string): Promise<string> {
  const { does, environment, manual } = commands[name]!
  const { usage, about, flags, options, sections = [], examples } = await manual()
  const parts = [
    [`countersign ${name}: ${does}`],
    usage.map((line, at) => `${at === 0 ? 'Usage: ' : '       '}countersign ${line}`),
    ...about.map((text) => wrapped(text)),
    flagSection('Flags', flags),
    optionSection('Options', options, environment !== false),
    ...sections.map(section),
    ['Examples', ...examples.map((line) => `  ${line}`)],
  ]
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function flagSection(title: string, flags: FlagTable): string[] {
  const rows = Object.entries(flags).map(([name, flag]) => [written(name, flag), description(flag)] as const)
  return rows.length === 0 ? [] : [title, ...columns(rows)]
}

/** The options that a command reads; most can also be set in the environment or the config file. */
function optionSection(title: string, options: Manual['options'], elsewhere: boolean): string[] {
  const rows = (Object.entries(options) as [OptionName, true | string][]).map(([name, does]) => {
    const flag = optionFlag(name, does === true ? undefined : does)
    return [written(flagOf(name), flag), description(flag)] as const
  })
  if (rows.length === 0) return []
  const where = elsewhere ? ' (each can also be set as COUNTERSIGN_NAME and, except --config, in the config file)' : ''
  return [`${title}${where}`, ...columns(rows)]
}

function section({ title, rows = [], text = [], yaml }: Section): string[] {
  const lines = yaml === undefined ? [] : yaml.trimEnd().split('\n')
  const indented = (line: string) => `  ${line}`
  return [
    title,
    ...columns(rows),
    ...text.flatMap((one) => wrapped(one, WIDTH - 2).map(indented)),
    ...(lines.length === 0 ? [] : ['', ...lines.map(indented)]),
  ]
}

/** Names with descriptions in a second column; long descriptions are wrapped within it. */
function columns(rows: readonly (readonly [name: string, does: string])[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2
  return rows.flatMap(([name, does]) =>
    wrapped(does, WIDTH - 2 - width).map((line, at) => `  ${(at === 0 ? name : '').padEnd(width)}${line}`),
  )
}

/** Wraps a text into lines of at most a width. */
function wrapped(text: string, width = WIDTH): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
