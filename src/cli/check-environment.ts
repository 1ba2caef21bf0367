import { InvalidOption } from '../server/invalid-option.js'
import { unknownVariables } from '../server/unknown-variables.js'
import type { Io } from './command.js'

/**
 * Warns of variables that look like ours and are not.
 * @throws {InvalidOption} for those that are surely mistaken
 */
export function checkEnvironment({ environment, err }: Io): void {
  const { mistaken, strange } = unknownVariables(environment)
  if (mistaken.length > 0) throw new InvalidOption(mistaken.join('\n'))
  for (const one of strange) err(`countersign: ${one}`)
}
