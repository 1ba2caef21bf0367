import { isAbsolute, relative, sep } from 'node:path'
import type { FileComplaint, FilePlace } from './invalid-files.js'
import { onOneLine } from './wording.js'

/** What a CI system shows beside a run, and in a file where one is named. */
export interface Annotation extends Partial<FilePlace> {
  readonly level: 'error' | 'warning'
  readonly title: string
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
  return (['error', 'warning'] as const).flatMap((level) => {
    const all = annotations.filter((one) => one.level === level)
    const left = all.length - MOST
    return all.slice(0, MOST).map((one, at) => {
      const more = left > 0 && at === MOST - 1 ? `\n… and ${left} more; see the log.` : ''
      return command({ ...one, message: one.message + more }, workspace)
    })
  })
}

/** As https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts escapes. */
function command({ level, title, message, file, line, column }: Annotation, workspace: string): string {
  const name = file && (nameWithin(workspace, file) ?? file).replaceAll(sep, '/')
  const properties = Object.entries({ file: name, line, col: column, title })
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
  return `::${level} ${properties.join(',')}::${message.split(/\r?\n/).map(escaped).join('%0A')}`
}

function escaped(line: string): string {
  return onOneLine(line, LONGEST).replaceAll('%', '%25')
}

/** A file's name from a folder; undefined for one that is elsewhere. */
function nameWithin(folder: string, file: string): string | undefined {
  const name = relative(folder, file)
  return name === '..' || name.startsWith(`..${sep}`) || isAbsolute(name) ? undefined : name
}
