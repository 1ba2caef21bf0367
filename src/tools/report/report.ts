import { groupBy } from '../../engine/contract/group-by.js'
import { onOneLine } from '../../engine/contract/wording.js'
import type { FilePlace } from '../../engine/files/invalid-files.js'

export interface Finding {
  readonly level?: 'error' | 'warning'
  /** The gate that fails, or a state such as `drift`. */
  readonly basis: string
  /** A few words, such as `addOrder: misnamed-field at form.amont`. */
  readonly name?: string
  readonly message: string
  readonly fix?: string
  /** What else may be done, as a sentence. */
  readonly hint?: string
  readonly corrected?: string
  readonly rule?: string
  /** Where to fix it, in one of the user's files. */
  readonly place?: FilePlace | undefined
}

/** A list for people. Its texts are plain; text between backticks is code. */
export interface Section {
  readonly title: string
  readonly items: readonly Item[]
}

interface Item {
  readonly text: string
  readonly lines?: readonly string[]
  readonly code?: readonly [language: 'diff' | 'sh', text: string]
}

/** Figures: the first cell of a row is its name; cells that do not apply are undefined. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number | undefined)[])[]
}

/** One case of a JUnit report; one with neither a failure nor a reason to be skipped has passed. */
export interface TestCase {
  readonly classname: string
  readonly name: string
  /** Its first line is the short message. */
  readonly failure?: string
  readonly skipped?: string
  readonly note?: string
  readonly file?: string | undefined
}

export interface Report {
  /** The command: `countersign verify`. */
  readonly title: string
  readonly target?: string
  /** Sentences for the head of the summary that begin with ✅, ❌ or ⚠️. */
  readonly verdicts: readonly string[]
  readonly findings: readonly Finding[]
  readonly sections: readonly Section[]
  readonly table?: Table
  readonly summary: string
  /** The terminal shows them below the summary. */
  readonly notes?: readonly string[]
  /** The suites of the JUnit report, by name. */
  readonly suites: Readonly<Record<string, readonly TestCase[]>>
  /** The content of the `--json` file. */
  readonly data: unknown
}

export function terminalText({ sections, table, summary, notes = [] }: Report): string {
  const lists = sections
    .filter(({ items }) => items.length > 0)
    .flatMap(({ title, items }) => ['', title, ...items.flatMap(itemLines)])
  return safeLines([...(table === undefined ? [] : tableLines(table)), ...lists, '', summary, ...notes])
}

function itemLines({ text, lines = [], code }: Item): string[] {
  const further = [...lines, ...(code === undefined ? [] : code[1].split('\n'))]
  return [`  ${text}`, ...further.map((line) => `    ${line}`)]
}

function tableLines({ head, rows }: Table): string[] {
  const all = [['', ...head.slice(1)], ...rows].map((row) => row.map((cell) => String(cell ?? '')))
  const names = Math.max(...all.map(([name = '']) => name.length))
  const least = Math.max(6, ...head.slice(1).map(({ length }) => length + 2))
  const widths = head.map((_, at) => Math.max(least, ...all.map((row) => (row[at]?.length ?? 0) + 2)))
  return all.map(([name = '', ...cells]) =>
    `${name.padEnd(names)}${cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0)).join('')}`.trimEnd(),
  )
}

export function columnLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}

/** The findings for a terminal, each with its sentences below. */
export function findingLines({ findings }: Pick<Report, 'findings'>): string {
  return safeLines(
    findings.flatMap((one) => [`✗ ${one.basis}  ${one.name}`, ...sentencesOf(one).map((line) => `    ${line}`)]),
  )
}

/** The findings by what they are measured by. */
export function findingSections(findings: readonly Finding[]): readonly Section[] {
  const groups = [...groupBy(findings, ({ basis }) => basis)]
  return groups.map(([title, own]) => ({
    title,
    items: own.map((one) => ({
      text: `\`${one.name}\``,
      lines: sentencesOf(one),
      ...(one.corrected !== undefined && { code: ['sh', one.corrected] as const }),
    })),
  }))
}

export function findingCases(findings: readonly Finding[]): readonly TestCase[] {
  return findings.map((one) => ({
    classname: `countersign.${one.basis}`,
    name: one.name ?? one.basis,
    failure: sentencesOf(one).join('\n'),
    file: one.place?.file,
  }))
}

export function sentencesOf({ message, fix, hint, rule }: Finding): string[] {
  return [message, fix && `Fix: ${fix}`, hint, rule && `Rule: ${rule}`].filter((one) => one !== undefined)
}

const LONGEST_LINE = 10_000

/** Runners read `::NAME::` at the beginning of a line, and `##[NAME]` and `##vso[NAME]` anywhere, as commands. */
function withoutCommands(line: string): string {
  return line.replace(/^(\s*):(?=:)/, '$1: ').replaceAll(/##(?=\w*\[)/g, '# #')
}

/** Lines in which nothing that a client sent moves the cursor or begins another line. */
function safeLines(lines: readonly string[]): string {
  return lines
    .map((line) => withoutCommands(onOneLine(line, LONGEST_LINE)))
    .join('\n')
    .replace(/^\n+/, '')
}
