import { appendFile, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { collectComplaints, type FileComplaint } from '../engine/files/invalid-files.js'
import { describeComplaints } from '../server/describe-complaints.js'
import type { Finding, Report } from '../tools/report/report.js'
import type { Io } from './command.js'
import { withWriteErrors, writeNamedFile } from './files.js'
import { flag } from './flags.js'
import { fileInWorkspace, findingOf, workflowCommands } from './report-formats/annotation.js'
import { junitText } from './report-formats/junit.js'
import { markdownText } from './report-formats/markdown.js'

export const GITHUB_ACTIONS_HELP =
  'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.'

export const reportFlags = {
  junit: flag('<FILE>', 'Write the report as JUnit XML.'),
  summary: flag('<FILE>', 'Write the report as markdown.'),
}

/** A killed run must not leave the results of another. */
export async function removeReports(io: Io, ...names: readonly (string | undefined)[]): Promise<void> {
  for (const name of names.filter((one) => one !== undefined)) {
    const found = await stat(resolve(io.folder, name)).catch(() => undefined)
    if (found?.isFile()) await withWriteErrors(io, name, (file) => rm(file))
  }
}

/** False if a file that was asked for cannot be written. */
export async function publishReport(
  report: Report,
  { json, junit, summary }: { readonly json?: string; readonly junit?: string; readonly summary?: string },
  io: Io,
  print: Io['out'],
  failure?: string,
): Promise<boolean> {
  const { GITHUB_STEP_SUMMARY: stepFile } = io.environment
  const step = stepFile ? resolve(io.folder, stepFile) : undefined
  // Many pass the step's summary as --summary.
  const isStep = summary !== undefined && resolve(io.folder, summary) === step
  const complaints: FileComplaint[] = []
  const unasked: FileComplaint[] = []
  const write = (file: string | undefined, text: () => string) =>
    file !== undefined && collectComplaints(complaints, () => writeNamedFile(io, file, text()))
  await write(json, () => `${JSON.stringify(report.data, null, 2)}\n`)
  await write(junit, () => junitText(report, (file) => fileInWorkspace(file, io.folder, workspaceOf(io))))
  await write(isStep ? undefined : summary, () => markdownText(report))
  if (step !== undefined && (isStep || isInGitHubActions(io)))
    await collectComplaints(isStep ? complaints : unasked, () =>
      withWriteErrors(io, step, (file) => appendFile(file, `\n${markdownText(report)}`)),
    )
  const all = [...complaints, ...unasked]
  if (all.length > 0) io.err(`countersign: ${describeComplaints(all, io.folder)}`)
  const command = failure === undefined ? [] : [{ basis: 'countersign', message: failure }]
  annotate([...command, ...report.findings, ...complaints.map(findingOf)], print, io)
  return complaints.length === 0
}

export function annotate(findings: readonly Finding[], print: Io['out'], io: Io): void {
  if (!isInGitHubActions(io)) return
  for (const line of workflowCommands(findings, io.folder, workspaceOf(io))) print(line)
}

function workspaceOf({ environment, folder }: Io): string {
  return environment.GITHUB_WORKSPACE || folder
}

function isInGitHubActions({ environment }: Io): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}
