import { InterpretationsFile } from '../../schemas/config.js'
import type { SwitchName } from '../../schemas/interpretations.js'
import type { Readings } from '../../schemas/readings.js'
import { readSource } from '../text/source-file.js'
import { requireSchema } from '../validation/explain.js'
import { mistakesInInterpretations } from '../validation/reading-mistakes.js'
import { staleEvidence } from '../validation/stale-evidence.js'

/**
 * Reads an interpretations file, whose readings a provider may have shown.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readInterpretationsFile(file: string): Promise<InterpretationsFile> {
  const source = await readSource(file)
  const data = source.data ?? {}
  const mistakes = [...mistakesInInterpretations(data), ...staleEvidence(data)]
  await requireSchema(source, InterpretationsFile, data, mistakes)
  return data as InterpretationsFile
}

/** The readings of a file; those that a provider showed are observed. */
export async function readInterpretations(file: string): Promise<Partial<Readings>> {
  const { interpretations, learned } = await readInterpretationsFile(file)
  if (learned === undefined) return interpretations
  return { ...interpretations, observed: { ...learned, switches: Object.keys(interpretations) as SwitchName[] } }
}
