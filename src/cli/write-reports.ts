import { resolve } from 'node:path'
import { complaintsInWords } from '../server/complaints-in-words.js'
import { type Annotation, annotationOf } from '../text/annotation.js'
import { type Complaint, collectComplaints, describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import { inGitHubActions } from './annotate.js'
import type { Io } from './command.js'
import { appendToStepSummary, isSameFile, stepSummary } from './step-summary.js'
import { writeNamedFile } from './write-file.js'

/** The files that flags name. */
export type ReportFiles = object & { readonly summary?: string }

/** Reports by the flags that name their files; the summary may have to be of at most so many bytes. */
export interface Reports {
  readonly [flag: string]: () => string
}

export type Summary = (most?: number) => string

/** The files that could not be written. */
export interface Unwritten {
  /** Files that the user requested. */
  readonly asked: readonly FileComplaint[]
  /** The step summary, which was not requested. */
  readonly unasked: readonly FileComplaint[]
}

/**
 * Writes the reports that flags ask for, and in GitHub Actions the step's summary by itself. What cannot be written is
 * returned, and the others are there all the same.
 */
export async function writeReports(files: ReportFiles, reports: Reports, summary: Summary, io: Io): Promise<Unwritten> {
  const asked: Complaint[] = []
  for (const [flag, text] of Object.entries(reports)) {
    const file = (files as Readonly<Record<string, unknown>>)[flag]
    if (typeof file !== 'string') continue
    await collectComplaints(asked, () => writeNamedFile(io, file, text()))
  }
  const unasked: Complaint[] = []
  const step = stepSummary(io)
  const { summary: named } = files
  const isStep = step !== undefined && named !== undefined && (await isSameFile(resolve(io.folder, named), step))
  if (named !== undefined && !isStep) await collectComplaints(asked, () => writeNamedFile(io, named, summary()))
  if (step !== undefined && (isStep || inGitHubActions(io)))
    await collectComplaints(isStep ? asked : unasked, () => appendToStepSummary(io, step, summary))
  return { asked: await complaintsInWords(asked, io.names), unasked: await complaintsInWords(unasked, io.names) }
}

/** Says what could not be written. */
export function tellUnwritten({ asked, unasked }: Unwritten, { err }: Io): void {
  for (const complaint of [...asked, ...unasked]) err(`countersign: ${describeComplaint(complaint)}`)
}

/** What could not be written, as annotations: only what was asked for is an error. */
export function unwrittenAsAnnotations({ asked, unasked }: Unwritten): Annotation[] {
  return [...asked.map(annotationOf), ...unasked.map((one) => ({ ...annotationOf(one), level: 'warning' as const }))]
}
