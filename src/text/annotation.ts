import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { FileComplaint, FilePlace } from './invalid-files.js'
import { type Finding, sentencesOf } from './report.js'
import { onOneLine } from './wording.js'

/** A message that a CI system shows beside a run, and in a file where one is named. */
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

/** A finding as an annotation, of the file where it can be fixed if that is known. */
export function annotationOfFinding(one: Finding): Annotation {
  const title = one.name === undefined ? one.basis : `${one.basis}: ${one.name}`
  return { level: one.level ?? 'error', title, message: sentencesOf(one).join('\n'), ...one.place }
}

/** GitHub shows so many annotations of a level in each step. */
const MOST = 10
/** Characters of a line of a message, and of a title. */
const LONGEST = 2_000

/**
 * Annotations as the commands that GitHub Actions reads from the output of a step; the last that fits says how many more
 * there are. Names of files start at `folder`, and are written from the workspace.
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function workflowCommands(annotations: readonly Annotation[], folder: string, workspace: string): string[] {
  return (['error', 'warning'] as const).flatMap((level) => {
    const all = annotations.filter((one) => one.level === level)
    const left = all.length - MOST
    return all.slice(0, MOST).map(({ file, line, column, title, message }, at) => {
      const more = left > 0 && at === MOST - 1 ? `\n… and ${left} more; see the log.` : ''
      const name = file === undefined ? undefined : nameWithin(workspace, resolve(folder, file))
      // As https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts escapes.
      const properties = Object.entries({ file: name, line, col: column, title })
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
      return `::${level} ${properties.join(',')}::${`${message}${more}`.split(/\r?\n/).map(escaped).join('%0A')}`
    })
  })
}

function escaped(line: string): string {
  return onOneLine(line, LONGEST).replaceAll('%', '%25')
}

/** The name of a file from a folder, also where a symbolic link leads to it; the path of one that is elsewhere. */
function nameWithin(folder: string, file: string): string {
  const name = relative(realPath(folder), join(realPath(dirname(file)), basename(file)))
  return (name.startsWith('..') ? file : name).replaceAll(sep, '/')
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path
}
