import { InterpretationsFile } from '../../schemas/config.js'
import type { Readings } from '../../schemas/readings.js'
import { readSource } from '../text/source-file.js'
import { requireSchema } from '../validation/explain.js'
import { mistakesInInterpretations } from '../validation/reading-mistakes.js'

/**
 * Reads the readings of a file.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readInterpretations(file: string): Promise<Partial<Readings>> {
  const source = await readSource(file)
  const data = source.data ?? {}
  await requireSchema(source, InterpretationsFile, data, mistakesInInterpretations(data))
  return (data as InterpretationsFile).interpretations
}
