import type { Annotation } from './annotation.js'
import type { FilePlace } from './invalid-files.js'
import { junitReport, type TestSuite } from './junit.js'
import { codeBlock, codeSpan } from './markdown.js'
import { summaryText } from './summary.js'
import { onOneLine } from './wording.js'

/** One thing that is not as it should be. */
export interface Finding {
  readonly level?: 'error' | 'warning'
  /** The gate that it fails, or its state. */
  readonly basis: string
  /** What is wrong, in a few words: `updateSubOrganizationMember: misnamed-field at form.rolle`. */
  readonly name?: string
  /** What is wrong, how to fix it, and the rule, in sentences; line by line. */
  readonly message: string
  /** Where it can be fixed, in one of the user's files. */
  readonly place?: FilePlace
}

/** A list for people to read. */
export interface Section {
  readonly title?: string
  readonly items: readonly Item[]
  /** What the items are: `failures`. */
  readonly called?: string
  /** Whether the items are hidden until somebody opens them. */
  readonly folded?: boolean
}

/** An item of a list, as the format of its section writes it. */
export interface Item {
  readonly name: string
  readonly text?: string
  readonly lines?: readonly Line[]
}

export type Line = string | { readonly code: string; readonly language: string }

/** Figures: a row per operation. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly [name: string, cells: readonly (number | undefined)[]])[]
}

/** What a command found. */
export interface Report {
  /** The command: `countersign verify`. */
  readonly name: string
  readonly target?: string
  /** Sentences that begin with ✅, ❌ or ⚠️, in markdown. */
  readonly verdicts: readonly string[]
  readonly findings: readonly Finding[]
  readonly terminal: readonly Section[]
  readonly markdown: readonly Section[]
  readonly table?: Table
  readonly summary: string
  /** Everything that was judged. */
  readonly suites: readonly TestSuite[]
  readonly data: unknown
}

/** Characters of a line; what a client or provider sent is in it, and must not begin another. */
const LONGEST_LINE = 10_000

export function terminalText({ terminal, summary }: Report): string {
  const sections = terminal.filter(({ title, items }) => items.length > 0 || /^[✓✗~·]/.test(title ?? ''))
  const lines = sections.flatMap(({ title, items }) => {
    const isHeading = title !== undefined && !/^[✓✗~·]/.test(title)
    const indent = title === undefined ? '' : isHeading ? '  ' : '    '
    return [
      ...(isHeading ? [''] : []),
      ...(title === undefined ? [] : [title]),
      ...items.flatMap(({ name, text, lines = [] }) => [
        `${indent}${name}${text === undefined ? '' : `  ${text}`}`,
        ...lines.map((line) => `${indent}    ${typeof line === 'string' ? line : line.code}`),
      ]),
    ]
  })
  return [...lines, '', summary]
    .map((line) => onOneLine(line, LONGEST_LINE))
    .join('\n')
    .replace(/^\n+/, '')
}

/** Markdown of at most so many bytes, as far as possible. */
export function markdownText({ name, target, verdicts, markdown, table, summary }: Report, most?: number): string {
  const sections = markdown.map(({ title, items, called = 'items', folded = false }) => ({
    ...(title !== undefined && { head: folded ? `<details><summary>${title}</summary>` : `### ${title}` }),
    items: items.map(itemText),
    ...(folded && { tail: '</details>' }),
    called,
  }))
  const head = `## ${name}${target === undefined ? '' : `: ${codeSpan(target)}`}`
  return summaryText([head, ...verdicts, ...sections, table === undefined ? '' : tableText(table), summary], most)
}

function itemText({ name, lines = [] }: Item): string {
  const further = lines.flatMap((line) =>
    typeof line === 'string' ? [`  - ${line}`] : codeBlock(line.code, line.language).map((one) => `    ${one}`),
  )
  return [`- ${name}`, ...further].join('\n')
}

function tableText({ head, rows }: Table): string {
  const cell = (count: number | undefined) => (count === undefined ? '' : count === 0 ? '**0**' : String(count))
  return [
    `| ${head.join(' | ')} |`,
    `|---|${head
      .slice(1)
      .map(() => '--:')
      .join('|')}|`,
    ...rows.map(([name, cells]) => `| ${name} | ${cells.map(cell).join(' | ')} |`),
  ].join('\n')
}

export function junitText({ name, suites }: Report): string {
  return junitReport(
    name,
    suites.filter(({ cases }) => cases.length > 0),
  )
}

export function jsonText({ data }: Report): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

export function annotationsOf({ findings }: Report): Annotation[] {
  return findings.map(({ level = 'error', basis, name, message, place }) => {
    const title = name === undefined ? basis : `${basis}: ${name}`
    return { level, kind: basis, title, message, ...place }
  })
}
