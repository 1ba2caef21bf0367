import { isAbsolute, relative, sep } from 'node:path'
import type { FileComplaint, FilePlace } from './invalid-files.js'
import { onOneLine } from './wording.js'

/** What a CI system shows beside a run, and in a file where one is named. */
export interface Annotation extends Partial<FilePlace> {
  readonly level: 'error' | 'warning'
  readonly title: string
  /** Annotations of each kind have a share of the places; those of none are one kind. */
  readonly kind?: string
  /** Its lines stay lines. */
  readonly message: string
}

/** A complaint about a file as an annotation of it. */
export function annotationOf({ frame: _, path = '', ...complaint }: FileComplaint): Annotation {
  const { line, message } = complaint
  const where = line === undefined && path !== '' ? `${path}: ` : ''
  return { level: 'error', title: 'countersign', ...complaint, message: where + message }
}

/** GitHub shows so many annotations of a level in each step. */
const MOST = 10
/** Characters of a line of a message, and of a title. */
const LONGEST = 2_000

/**
 * Annotations as the commands that GitHub Actions reads from what a step prints; the last that fits says how many more
 * there are. Files are named from the workspace.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function workflowCommands(annotations: readonly Annotation[], workspace: string): string[] {
  return LEVELS.flatMap((level) => {
    const all = annotations.filter((one) => one.level === level)
    const left = all.length - MOST
    return withShares(all).map((one, at) => {
      const isLast = left > 0 && at === MOST - 1
      const more = isLast ? `\n… and ${left} more; see the log.` : ''
      return command({ ...one, message: one.message + more }, workspace)
    })
  })
}

/** As many as there are places for, in order: each kind has as many as any other, as far as it has them. */
function withShares(all: readonly Annotation[]): Annotation[] {
  const counts = new Map<string | undefined, number>()
  const nths = all.map((one, at) => {
    const nth = counts.get(one.kind) ?? 0
    counts.set(one.kind, nth + 1)
    return { one, at, nth }
  })
  const chosen = nths.toSorted((a, b) => a.nth - b.nth || a.at - b.at).slice(0, MOST)
  return chosen.sort((a, b) => a.at - b.at).map(({ one }) => one)
}

const LEVELS = ['error', 'warning'] as const

function command({ level, title, message, file, line, column }: Annotation, workspace: string): string {
  const properties = Object.entries({
    file: file === undefined ? undefined : nameFrom(workspace, file),
    line,
    col: column,
    title,
  }).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${escapeProperty(plain(String(value)))}`))
  const lines = message.split(/\r?\n/).map(plain)
  return `::${level} ${properties.join(',')}::${escapeData(lines.join('\n'))}`
}

/** A file as it is called from a folder; one that is elsewhere keeps its whole name. */
function nameFrom(folder: string, file: string): string {
  return (nameWithin(folder, file) ?? file).replaceAll(sep, '/')
}

/** A file's name from a folder; undefined for one that is elsewhere. */
function nameWithin(folder: string, file: string): string | undefined {
  const name = relative(folder, file)
  return name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name) ? undefined : name
}

function plain(text: string): string {
  return onOneLine(text, LONGEST)
}

/** As https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts escapes. */
function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
