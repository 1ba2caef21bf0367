import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Findings } from './findings.js'

const FOLDER = 'node_modules'
const FILE = `${FOLDER}/.cache/countersign/mutants.json`

/** Keeps what a run found for the dashboard, beside the packages of a folder; where there are none, it is not kept. */
export async function keepLastRun(folder: string, findings: Findings): Promise<void> {
  const file = join(folder, FILE)
  try {
    if (!(await stat(join(folder, FOLDER))).isDirectory()) return
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, JSON.stringify(findings))
  } catch {
    // The reports that were asked for are written elsewhere.
  }
}

/** What the last run in a folder found; null where there was none. */
export async function readLastRun(folder: string): Promise<Findings | null> {
  try {
    const findings: Findings = JSON.parse(await readFile(join(folder, FILE), 'utf8'))
    return Array.isArray(findings.mutants) ? findings : null
  } catch {
    return null
  }
}
