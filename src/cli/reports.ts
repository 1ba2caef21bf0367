import { existsSync, realpathSync } from 'node:fs'
import { appendFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { complaintFrom } from '../server/complaints.js'
import { type Annotation, annotationOf, workflowCommands } from '../text/annotation.js'
import { collectComplaints, describeComplaint, type FileComplaint, InvalidFiles } from '../text/invalid-files.js'
import { junitText } from '../text/junit.js'
import { markdownText } from '../text/markdown.js'
import { annotationsOf, jsonText, type Report } from '../text/report.js'
import type { Io } from './command.js'
import { asWriting, writeNamedFile } from './files.js'

export const IN_GITHUB_ACTIONS =
  'In GitHub Actions, failures also appear as annotations, and the step summary is written even without --summary.'

/** Bytes of all summaries that one step writes; GitHub shows nothing of more. */
const MOST = 1024 * 1024

export interface ReportFiles {
  readonly json?: string
  readonly junit?: string
  readonly summary?: string
}

/** The complaints about reports that could not be written: those that were asked for, and the step's summary. */
export interface Unwritten {
  readonly asked: readonly FileComplaint[]
  readonly unasked: readonly FileComplaint[]
}

/**
 * Writes a report to files, and in GitHub Actions to the step's summary by itself. Each is written if it can be; the
 * others are told and returned.
 */
export async function writeReports(
  report: Report,
  { json, junit, summary }: ReportFiles,
  io: Io,
  other?: readonly [file: string | undefined, text: string],
): Promise<Unwritten> {
  const { GITHUB_STEP_SUMMARY: stepFile } = io.environment
  const step = stepFile ? resolve(io.folder, stepFile) : undefined
  const isStep = summary !== undefined && resolve(io.folder, summary) === step
  const asked: FileComplaint[] = []
  const unasked: FileComplaint[] = []
  for (const [file, text] of [
    [json, () => jsonText(report)],
    [junit, () => junitText(report)],
    [isStep ? undefined : summary, () => markdownText(report)],
    [other?.[0], () => other?.[1] ?? ''],
  ] as const)
    if (file !== undefined) await collectComplaints(asked, () => writeNamedFile(io, file, text()))
  if (step !== undefined && (isStep || inGitHubActions(io)))
    await collectComplaints(isStep ? asked : unasked, () => appendToStepSummary(io, step, report))
  for (const one of [...asked, ...unasked]) io.err(`countersign: ${describeComplaint(complaintFrom(io.folder, one))}`)
  return { asked, unasked }
}

/** Adds a report to the step's summary, below what is there already. */
async function appendToStepSummary(io: Io, file: string, report: Report): Promise<void> {
  const there = (await stat(file).catch(() => undefined))?.size ?? 0
  const before = there > 0 ? '\n' : ''
  const room = MOST - there - before.length
  const markdown = markdownText(report, room)
  if (Buffer.byteLength(markdown) > room) {
    const message =
      'The step summary was left as it is: GitHub shows at most 1 MiB of it, and other output already fills that.'
    throw new InvalidFiles([{ code: 'too-large', file, message }])
  }
  await asWriting(io, file, () => appendFile(file, before + markdown))
}

/** Prints a report, how a command failed, and what could not be written as annotations. */
export function annotateReport(
  report: Report,
  { asked, unasked }: Unwritten,
  print: Io['out'],
  io: Io,
  failure?: string,
): void {
  const command: Annotation[] =
    failure === undefined ? [] : [{ level: 'error', title: 'countersign', message: failure }]
  const warnings = unasked.map((one) => ({ ...annotationOf(one), level: 'warning' as const }))
  annotate([...command, ...annotationsOf(report), ...asked.map(annotationOf), ...warnings], print, io)
}

/** Prints annotations where GitHub Actions shows them, and nothing anywhere else. */
export function annotate(annotations: readonly Annotation[], print: Io['out'], io: Io): void {
  if (!inGitHubActions(io)) return
  const workspace = io.environment.GITHUB_WORKSPACE || io.folder
  const located = annotations.map(({ file, ...one }) => {
    if (file === undefined) return one
    const path = resolve(io.folder, file)
    // Either may be called by way of a symbolic link.
    const name = relative(realPath(workspace), join(realPath(dirname(path)), basename(path)))
    const isNamed = path.startsWith(`${workspace}${sep}`) || name.startsWith('..')
    return { ...one, file: isNamed ? path : join(workspace, name) }
  })
  for (const line of workflowCommands(located, workspace)) print(line)
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path
}

function inGitHubActions({ environment }: Io): boolean {
  return environment.GITHUB_ACTIONS === 'true'
}
