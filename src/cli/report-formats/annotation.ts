import { relative, resolve, sep } from 'node:path'
import { onOneLine } from '../../engine/contract/wording.js'
import type { FileComplaint } from '../../engine/files/invalid-files.js'
import { type Finding, sentencesOf } from '../../tools/report/report.js'

export function findingOf({ path = '', message, frame: _, ...place }: FileComplaint): Finding {
  const where = place.line === undefined && path !== '' ? `${path}: ` : ''
  return { basis: 'countersign', message: where + message, place }
}

const LONGEST = 2_000

/** @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
export function workflowCommands(findings: readonly Finding[], folder: string, workspace: string): string[] {
  return findings.map((one) => {
    const { level = 'error', basis, name, place } = one
    const file = place && fileInWorkspace(place.file, folder, workspace)
    const title = name === undefined ? basis : `${basis}: ${name}`
    // As https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts escapes.
    const properties = Object.entries({ file, line: place?.line, col: place?.column, title })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${escaped(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
    const lines = sentencesOf(one).join('\n').split(/\r?\n/)
    return `::${level} ${properties.join(',')}::${lines.map(escaped).join('%0A')}`
  })
}

export function fileInWorkspace(file: string, folder: string, workspace: string): string {
  return relative(workspace, resolve(folder, file)).replaceAll(sep, '/')
}

function escaped(line: string): string {
  return onOneLine(line, LONGEST).replaceAll('%', '%25')
}
