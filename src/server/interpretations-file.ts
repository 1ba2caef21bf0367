import { InterpretationsFile } from '../../schemas/config.js'
import type { Readings } from '../../schemas/readings.js'
import { InvalidFiles } from '../text/invalid-files.js'
import { readSource, type SourceFile } from '../text/source-file.js'
import { requireSchema } from '../validation/explain.js'
import { readingMistakes } from '../validation/reading-mistakes.js'

/**
 * Reads the readings of a file.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readInterpretations(file: string): Promise<Partial<Readings>> {
  const source = await readSource(file)
  const data = source.data ?? {}
  await requireSchema(source, InterpretationsFile, data)
  const { interpretations } = data as InterpretationsFile
  await requireReadings(source, interpretations)
  return interpretations
}

/**
 * Checks what no schema tells of the readings in a file, which stand under its key `interpretations`.
 * @throws {InvalidFiles} with every mistake in them
 */
export async function requireReadings(source: SourceFile, readings: Partial<Readings>): Promise<void> {
  const mistakes = readingMistakes(readings)
  if (mistakes.length === 0) return
  throw new InvalidFiles(
    await Promise.all(
      mistakes.map(({ path, message, about }) => source.complain(['interpretations', ...path], message, about)),
    ),
  )
}
