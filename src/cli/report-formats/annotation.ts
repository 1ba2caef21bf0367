import { relative, resolve, sep } from 'node:path'
import { printable } from '../../engine/contract/wording.js'
import type { FileComplaint } from '../../engine/files/invalid-files.js'
import { type Finding, sentencesOf } from '../../tools/report/report.js'

export function findingOf({ path = '', message, frame: _, ...place }: FileComplaint): Finding {
  const prefix = place.line === undefined && path !== '' ? `${path}: ` : ''
  return { basis: 'countersign', message: prefix + message, place }
}

const LONGEST_LINE = 2_000

/** @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
export function workflowCommands(findings: readonly Finding[], folder: string, workspace: string): string[] {
  return findings.map((finding) => {
    const { level = 'error', basis, name, place } = finding
    const file = place && fileInWorkspace(place.file, folder, workspace)
    const title = name === undefined ? basis : `${basis}: ${name}`
    // Escaped as in https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts.
    const properties = Object.entries({ file, line: place?.line, col: place?.column, title })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `${key}=${escapeLine(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`)
    const lines = sentencesOf(finding).join('\n').split(/\r?\n/)
    return `::${level} ${properties.join(',')}::${lines.map(escapeLine).join('%0A')}`
  })
}

export function fileInWorkspace(file: string, folder: string, workspace: string): string {
  return relative(workspace, resolve(folder, file)).replaceAll(sep, '/')
}

function escapeLine(line: string): string {
  return printable(line, LONGEST_LINE).replaceAll('%', '%25')
}
