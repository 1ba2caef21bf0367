import type { Annotation } from './annotation.js'
import type { FilePlace } from './invalid-files.js'
import { onOneLine } from './wording.js'

/** One thing that is not as it should be. */
export interface Finding {
  readonly level?: 'error' | 'warning'
  /** What it is measured by: a gate, or a state. */
  readonly basis: string
  /** The operation or outcome that it is about, if any. */
  readonly about?: string
  /** What is wrong, in a few words, such as `misnamed-field at form.rolle`. */
  readonly name?: string
  readonly message: string
  /** How often it occurred; undefined if the message says so. */
  readonly count?: number
  /** The first request in which it occurred. */
  readonly request?: string
  readonly fix?: string
  /** The corrected request, as a curl line. */
  readonly corrected?: string
  /** The rule that it is based on, quoted. */
  readonly rule?: string
  /** Where it can be fixed, in one of the user's files. */
  readonly place?: FilePlace
}

/** A list for people; its texts are written as the format that shows it does. */
export interface Section {
  readonly title?: string
  readonly items: readonly Item[]
  /** What the items are: `failures`. */
  readonly called?: string
  /** Whether markdown hides the items until somebody opens them. */
  readonly folded?: boolean
}

export interface Item {
  readonly name: string
  readonly lines?: readonly (string | { readonly code: string; readonly language: string })[]
}

/** Figures, a row for each operation. */
export interface Table {
  readonly title?: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly [name: string, cells: readonly (number | undefined)[]])[]
}

/** One case of a JUnit report; one with neither a failure nor a reason to be skipped has passed. */
export interface TestCase {
  readonly classname: string
  readonly name: string
  readonly failure?: { readonly message: string; readonly text: string }
  /** Why it was not run. */
  readonly skipped?: string
  readonly note?: string
}

interface TestSuite {
  readonly name: string
  readonly cases: readonly TestCase[]
}

/** What a command found, for every writer. */
export interface Report {
  /** The command: `countersign verify`. */
  readonly name: string
  readonly target?: string
  /** In markdown: sentences that begin with ✅, ❌ or ⚠️. */
  readonly verdicts: readonly string[]
  readonly findings: readonly Finding[]
  readonly terminal?: readonly Section[]
  readonly markdown: readonly Section[]
  readonly table?: Table
  readonly summary: string
  /** Lines that the terminal shows below the summary. */
  readonly notes?: readonly string[]
  /** Everything that was judged. */
  readonly suites: readonly TestSuite[]
  readonly data: unknown
}

/** How often something was, in words. */
export function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

/** The name of a finding: `updateSubOrganizationMember: misnamed-field at form.rolle`. */
function nameOf({ about, name }: Finding): string {
  return [about, name].filter((part) => part !== undefined).join(': ')
}

function sentencesOf({ message, count, request, fix, rule }: Finding): string[] {
  const first = request === undefined ? '' : `, first in ${request}`
  return [
    count === undefined ? message : `${message} (${times(count)}${first})`,
    ...(fix === undefined ? [] : [`Fix: ${fix}`]),
    ...(rule === undefined ? [] : [`Rule: ${rule}`]),
  ]
}

/** What others sent is in lines, and must neither move the cursor nor begin another one. */
const LONGEST_LINE = 10_000
const joinLines = (lines: readonly string[]) => lines.map((line) => onOneLine(line, LONGEST_LINE)).join('\n')

export function terminalText({ terminal = [], table, summary, notes = [] }: Report): string {
  const lines = terminal.flatMap(({ title = '', items }) => {
    // A title with a mark stands for itself; others are headings.
    const isMarked = /^[✓✗~·]/.test(title)
    if (items.length === 0 && !isMarked) return []
    const indent = isMarked ? '    ' : '  '
    const own = items.flatMap(({ name, lines = [] }) => [
      `${indent}${name}`,
      ...lines.map((line) => `${indent}  ${typeof line === 'string' ? line : line.code}`),
    ])
    return [...(isMarked ? [] : ['']), title, ...own]
  })
  const text = joinLines([...lines, '', summary, ...notes]).replace(/^\n+/, '')
  return [...(table === undefined ? [] : tableLines(table)), text].join('\n')
}

function tableLines({ head: [first = '', ...others], rows }: Table): string[] {
  const names = Math.max(first.length, ...rows.map(([name]) => name.length))
  const width = Math.max(6, ...others.map(({ length }) => length + 2))
  const line = (name: string, cells: readonly unknown[]) =>
    `${name.padEnd(names)}${cells.map((cell) => String(cell ?? '').padStart(width)).join('')}`
  return [
    line('', others),
    ...rows.map(([name, cells]) =>
      line(
        name,
        cells.map((count) => (count === 0 ? '-' : count)),
      ),
    ),
  ]
}

/** The findings for a terminal, each with its sentences below. */
export function findingLines({ findings }: Pick<Report, 'findings'>): string {
  return joinLines(findings.flatMap((one) => [`✗ ${one.basis}  ${nameOf(one)}`, `    ${sentencesOf(one).join(' ')}`]))
}

/** Findings as failed test cases. */
export function findingCases(findings: readonly Finding[]): readonly TestCase[] {
  return findings.map((one) => {
    const text = sentencesOf(one).join(' ')
    return { classname: `countersign.${one.basis}`, name: nameOf(one), failure: { message: text, text } }
  })
}

export function jsonText({ data }: Report): string {
  return `${JSON.stringify(data, null, 2)}\n`
}

/** Findings as annotations: of the file where each can be fixed, if that is known. */
export function annotationsOf({ findings }: Pick<Report, 'findings'>): Annotation[] {
  return findings.map((one) => {
    const name = nameOf(one)
    const title = name === '' ? one.basis : `${one.basis}: ${name}`
    return { level: one.level ?? 'error', title, message: sentencesOf(one).join('\n'), ...one.place }
  })
}
