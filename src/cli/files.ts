import { existsSync, realpathSync } from 'node:fs'
import { mkdir, open, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Api } from '../engine/api.js'
import { quote } from '../engine/contract/wording.js'
import { collectComplaints, type FileComplaint, fileErrorReason, InvalidFiles } from '../engine/files/invalid-files.js'
import { isDataFile } from '../engine/files/source-file.js'
import { readConfig } from '../server/config-file.js'
import { type Options, readEnvironment } from '../server/options.js'
import { resolveSettings, type Settings } from '../server/settings.js'
import { type Io, WrongUse } from './command.js'

/** @throws {InvalidFiles} if the config file cannot be used and `complaints` is not passed */
export async function readSettings(api: Api, flags: Partial<Options>, io: Io, complaints?: FileComplaint[]) {
  const environment = readEnvironment(io.environment, flags)
  const config = await readConfig(api, flags.config ?? environment.config, io.folder, complaints)
  return resolveSettings(api, flags, environment, config, io.folder)
}

/** @throws {InvalidFiles} if the file cannot be written */
export function writeTextFile(io: Io, name: string, text: string): Promise<void> {
  return withWriteErrors(io, name, async (file) => {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  })
}

/** Follows a link to the file itself. */
export function pathOf(io: Io, name: string): string {
  const path = resolve(io.folder, name)
  return existsSync(path) ? realpathSync(path) : path
}

const INPUTS = ['configFile', 'config', 'fixtures', 'scenarios', 'persist', 'tlsCert', 'tlsKey'] as const
type Inputs = Partial<Pick<Settings, (typeof INPUTS)[number]>>

/** @throws {WrongUse} if a report would overwrite a file that the run reads */
export function requireNotInput(io: Io, reports: readonly (string | undefined)[], inputs: Inputs, otherInput?: string) {
  const paths = [...INPUTS.map((name) => inputs[name]), otherInput].map((path) => path && pathOf(io, path))
  for (const report of reports.filter((one) => one !== undefined) as readonly string[]) {
    const path = pathOf(io, report)
    if (paths.includes(path) || (isDataFile(path) && paths.includes(dirname(path))))
      throw new WrongUse(`This run reads ${quote(report)}, or its folder: choose another file for the report.`)
  }
}

/** Devices, such as /dev/null, may be repeated. */
export function requireDistinct(io: Io, ...names: readonly (string | undefined)[]): void {
  const paths = new Set<string>()
  for (const name of names.filter((one) => one !== undefined && !one.startsWith('/dev/')) as readonly string[]) {
    const path = pathOf(io, name)
    if (paths.has(path))
      throw new WrongUse(`${quote(name)} is given twice. Give each file once, and a separate file for each report.`)
    paths.add(path)
  }
}

/** Checks that files can be written; creates missing folders. @throws {InvalidFiles} @throws {WrongUse} for a repeated name */
export async function requireWritable(io: Io, ...names: readonly (string | undefined)[]): Promise<void> {
  requireDistinct(io, ...names)
  const complaints: FileComplaint[] = []
  for (const name of names.filter((one) => one !== undefined))
    await collectComplaints(complaints, () => withWriteErrors(io, name, tryToWrite))
  if (complaints.length > 0) throw new InvalidFiles(complaints)
}

async function tryToWrite(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const isNew = (await stat(file).catch(() => undefined)) === undefined
  await (await open(file, 'a')).close()
  if (isNew) await rm(file)
}

export async function withWriteErrors(io: Io, name: string, write: (file: string) => Promise<unknown>): Promise<void> {
  const file = resolve(io.folder, name)
  try {
    await write(file)
  } catch (error) {
    const message = `The file cannot be written: ${fileErrorReason(error)}.`
    throw new InvalidFiles([{ file, message }])
  }
}
