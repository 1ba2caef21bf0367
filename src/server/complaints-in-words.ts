import { type Complaint, describeComplaint, type FileComplaint } from '../text/invalid-files.js'
import { readSource } from '../text/source-file.js'
import { asWritten } from '../text/written-paths.js'
import type { Settings } from '../world/settings.js'

/** How the user named files: the settings, or the known part of them. */
export type FileNames = Pick<Settings, 'written'> & Partial<Pick<Settings, 'sources' | 'configFile' | Named>>

/** The options that name files which are read later. */
type Named = 'fixtures' | 'scenarios'

/** Complaints as users read them: with files as they named them, and the option that named an unreadable one. */
export function complaintsInWords(complaints: readonly Complaint[], names: FileNames): Promise<FileComplaint[]> {
  return Promise.all(complaints.map((one) => inWords(one, names)))
}

/** Complaints as text. */
export async function describeComplaints(complaints: readonly Complaint[], names: FileNames): Promise<string> {
  return (await complaintsInWords(complaints, names)).map(describeComplaint).join('\n')
}

async function inWords(
  { code, subject, reason: _, ...complaint }: Complaint,
  names: FileNames,
): Promise<FileComplaint> {
  const { sources, configFile, written } = names
  const named = { ...complaint, file: asWritten(written, complaint.file) }
  const option: Named = subject === 'scenarios' ? 'scenarios' : 'fixtures'
  if (code !== 'unreadable' || names[option] !== complaint.file) return named
  const source = sources?.[option]
  if (source !== undefined) return { ...named, message: `${named.message} Check ${source}.` }
  const config = configFile === undefined ? undefined : await readSource(configFile).catch(() => undefined)
  // A folder that is taken without being named stands in no file.
  if ((config?.data as FileNames | undefined)?.[option] === undefined) return named
  const { code: __, ...inConfig } = await config!.complain(code, [option], `${named.file}: ${named.message}`)
  return { ...inConfig, file: asWritten(written, inConfig.file) }
}
