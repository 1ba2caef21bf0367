import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { gatesAsJunit, heatMap, markdown } from '../coverage/formats.js'
import { failuresOf, type Gates } from '../coverage/gates.js'
import type { Report } from '../coverage/report.js'
import type { Io } from './command.js'

/** Where reports go, as flags that take a file. */
export const reportFlags = { junit: true, summary: true, coverage: true } as const

type Flags = Readonly<Record<string, string | true>>

/** Holds the gates against a run, says what failed and how to mend it, and writes the reports; resolves with whether all held. */
export async function conclude(
  report: Report,
  gates: Gates,
  unused: readonly string[],
  flags: Flags,
  io: Io,
): Promise<boolean> {
  const failures = failuresOf(report, gates, unused)
  const files: Record<keyof typeof reportFlags, () => string> = {
    junit: () => gatesAsJunit(failures, gates),
    summary: () => markdown(report, failures),
    coverage: () => `${JSON.stringify(report, null, 2)}\n`,
  }
  for (const [name, text] of Object.entries(files)) {
    const file = flags[name]
    if (typeof file === 'string') await write(resolve(io.folder, file), text())
  }
  io.err('')
  io.err(heatMap(report, Boolean(process.stderr.isTTY) && !io.environment.NO_COLOR))
  if (failures.length === 0) return true
  io.err('')
  for (const { gate, name, message } of failures) io.err(`✗ ${gate}  ${name}\n    ${message}`)
  io.err(`\n${failures.length} ${failures.length === 1 ? 'failure' : 'failures'}.`)
  return false
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
}
