import { appendFile, rm, stat } from 'node:fs/promises'
import type { Api } from '../engine/api.js'
import { collectComplaints, type FileComplaint } from '../engine/files/invalid-files.js'
import { describeComplaints } from '../server/describe-complaints.js'
import type { Options } from '../server/options.js'
import { isReport } from '../tools/report/is-report.js'
import type { Finding, Report } from '../tools/report/report.js'
import type { Io } from './command.js'
import { pathOf, readSettings, requireNotInput, requireWritable, withWriteErrors, writeTextFile } from './files.js'
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

type ReportFiles = { readonly [Flag in 'coverage' | 'json' | 'junit' | 'summary']?: string }

/** Removes reports of an earlier run, but keeps `output`; reads settings. @throws {InvalidFiles} @throws {WrongUse} */
export async function setUpRun(
  api: Api,
  io: Io,
  options: Partial<Options>,
  { coverage, json, junit, summary }: ReportFiles,
  { output, input }: { readonly output?: string; readonly input?: string } = {},
) {
  const reports = [coverage, json, junit, summary]
  const files = [...reports, output]
  requireNotInput(io, files, options, input)
  await requireWritable(io, ...files)
  const settings = await readSettings(api, options, io).catch(async (error) => {
    // The settings that cannot be read may list one of these files as input: remove only reports.
    await removeReports(io, reports, isReport)
    throw error
  })
  requireNotInput(io, files, settings, input)
  await removeReports(io, reports)
  return settings
}

async function removeReports(
  io: Io,
  names: readonly (string | undefined)[],
  shouldRemove = async (_path: string) => true,
) {
  const stepSummary = stepSummaryOf(io)
  for (const name of names.filter((one) => one !== undefined && !/^\/(?:dev|proc)\//.test(one)) as readonly string[]) {
    const path = pathOf(io, name)
    const isFile = (await stat(path).catch(() => undefined))?.isFile() === true
    if (isFile && path !== stepSummary && (await shouldRemove(path))) await withWriteErrors(io, name, () => rm(path))
  }
}

/** Returns false if a report that a flag names cannot be written. */
export async function publishReport(
  report: Report,
  { json, junit, summary }: ReportFiles,
  io: Io,
  print: Io['out'],
  failure?: string,
): Promise<boolean> {
  const stepSummary = stepSummaryOf(io)
  // Many users pass GITHUB_STEP_SUMMARY as --summary.
  const isStepSummary = summary !== undefined && pathOf(io, summary) === stepSummary
  const complaints: FileComplaint[] = []
  const stepComplaints: FileComplaint[] = []
  const write = (file: string | undefined, text: () => string) =>
    file !== undefined && collectComplaints(complaints, () => writeTextFile(io, file, text()))
  await write(json, () => `${JSON.stringify(report.data, null, 2)}\n`)
  await write(junit, () => junitText(report, (file) => fileInWorkspace(file, io.folder, workspaceOf(io))))
  await write(isStepSummary ? undefined : summary, () => markdownText(report))
  if (stepSummary !== undefined && (isStepSummary || isInGitHubActions(io)))
    await collectComplaints(isStepSummary ? complaints : stepComplaints, () =>
      withWriteErrors(io, stepSummary, (file) => appendFile(file, `\n${markdownText(report)}`)),
    )
  const all = [...complaints, ...stepComplaints]
  if (all.length > 0) io.err(`countersign: ${describeComplaints(all, io.folder)}`)
  const commandFailure = failure === undefined ? [] : [{ basis: 'countersign', message: failure }]
  annotate([...commandFailure, ...report.findings, ...complaints.map(findingOf)], print, io)
  return complaints.length === 0
}

export function annotate(findings: readonly Finding[], print: Io['out'], io: Io): void {
  if (!isInGitHubActions(io)) return
  for (const line of workflowCommands(findings, io.folder, workspaceOf(io))) print(line)
}

function stepSummaryOf(io: Io): string | undefined {
  return io.environment.GITHUB_STEP_SUMMARY ? pathOf(io, io.environment.GITHUB_STEP_SUMMARY) : undefined
}

function workspaceOf({ environment, folder }: Io): string {
  return environment.GITHUB_WORKSPACE || folder
}

function isInGitHubActions({ environment }: Io): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}
