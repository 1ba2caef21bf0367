import type { Provenance } from '../../engine/contract/contract.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { printable } from '../../engine/contract/wording.js'
import type { FilePlace } from '../../engine/files/invalid-files.js'

export interface Finding {
  readonly level?: 'error' | 'warning'
  /** The failed gate, a state such as `drift`, or else the origin, such as `unavailable`. */
  readonly basis: string
  /** Such as `addOrder: misnamed-field at form.amont`. */
  readonly name?: string
  readonly message: string
  readonly fix?: string
  readonly hint?: string
  readonly corrected?: string
  readonly rule?: string
  readonly place?: FilePlace | undefined
}

/** Plain texts; backticks mark code. */
export interface Section {
  readonly title: string
  readonly items: readonly Item[]
}

interface Item {
  readonly text: string
  readonly lines?: readonly string[]
  readonly code?: readonly [language: 'diff' | 'sh', text: string]
}

/** Undefined cells do not apply. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number | undefined)[])[]
}

/** Without `failure` and `skipped`, the case has passed. */
export interface TestCase {
  readonly classname: string
  readonly name: string
  /** The first line is the short message. */
  readonly failure?: string
  readonly skipped?: string
  readonly note?: string
  readonly file?: string | undefined
}

export interface Report {
  readonly title: string
  readonly target?: string
  readonly verdicts: readonly string[]
  readonly findings: readonly Finding[]
  readonly sections: readonly Section[]
  readonly table?: Table
  readonly summary: string
  /** Below the summary, in the terminal only. */
  readonly notes?: readonly string[]
  readonly suites: Readonly<Record<string, readonly TestCase[]>>
  readonly data: unknown
}

export interface OutcomeCoverage {
  readonly outcome: string
  readonly count: number
  readonly provenance: Provenance
  readonly causes: Readonly<Record<string, number>>
  /** True if it was forced each time. */
  readonly forced?: true
}

export interface Coverage {
  readonly covered: number
  readonly total: number
  readonly outcomes: readonly OutcomeCoverage[]
}

export function terminalText({ sections, table, summary, notes = [] }: Report): string {
  const lists = sections
    .filter(({ items }) => items.length > 0)
    .flatMap(({ title, items }) => ['', title, ...items.flatMap(itemLines)])
  return safeLines([...(table === undefined ? [] : tableLines(table)), ...lists, '', summary, ...notes])
}

function itemLines({ text, lines = [], code }: Item): string[] {
  const indented = [...lines, ...(code === undefined ? [] : code[1].split('\n'))]
  return [`  ${text}`, ...indented.map((line) => `    ${line}`)]
}

function tableLines({ head, rows }: Table): string[] {
  const lines = [['', ...head.slice(1)], ...rows].map((row) => row.map((cell) => String(cell ?? '')))
  const nameWidth = Math.max(...lines.map(([name = '']) => name.length))
  const leastWidth = Math.max(6, ...head.slice(1).map(({ length }) => length + 2))
  const widths = head.map((_, at) => Math.max(leastWidth, ...lines.map((cells) => (cells[at]?.length ?? 0) + 2)))
  return lines.map(([name = '', ...cells]) =>
    `${name.padEnd(nameWidth)}${cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0)).join('')}`.trimEnd(),
  )
}

export function columnLines(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd())
}

export function findingLines({ findings }: Pick<Report, 'findings'>): string {
  return safeLines(
    findings.flatMap((one) => [`✗ ${one.basis}  ${one.name}`, ...sentencesOf(one).map((line) => `    ${line}`)]),
  )
}

export function findingSections(findings: readonly Finding[]): readonly Section[] {
  const groups = [...groupBy(findings, ({ basis }) => basis)]
  return groups.map(([title, group]) => ({
    title,
    items: group.map((finding) => ({
      text: `\`${finding.name}\``,
      lines: sentencesOf(finding),
      ...(finding.corrected !== undefined && { code: ['sh', finding.corrected] as const }),
    })),
  }))
}

export function findingCases(findings: readonly Finding[]): readonly TestCase[] {
  return findings.map((finding) => ({
    classname: `countersign.${finding.basis}`,
    name: finding.name ?? finding.basis,
    failure: sentencesOf(finding).join('\n'),
    file: finding.place?.file,
  }))
}

export function sentencesOf({ message, fix, hint, rule }: Finding): string[] {
  return [message, fix && `Fix: ${fix}`, hint, rule && `Rule: ${rule}`].filter((one) => one !== undefined)
}

const LONGEST_LINE = 10_000

/** A client's texts must not give CI runners the command `::NAME::`. */
function safeLines(lines: readonly string[]): string {
  const safe = lines.map((line) => printable(line, LONGEST_LINE).replace(/^(\s*):(?=:)/, '$1: '))
  return safe.join('\n').replace(/^\n+/, '')
}
