import { ScenarioDefinition } from '../../../schemas/scenario.js'
import type { SourceFile } from '../../text/source-file.js'
import { requireSchema } from '../../validation/explain.js'
import type { World } from '../world.js'

/**
 * Defines a scenario in a world, or replaces it, by what a source says of it. Where that does not say whether it is on,
 * a new one is off, and another stays as it was.
 * @throws {InvalidFiles} with every complaint
 */
export async function defineScenario(world: World, name: string, source: SourceFile): Promise<void> {
  const data = source.data ?? {}
  await requireSchema(source, ScenarioDefinition, data)
  const { active, ...file } = data as ScenarioDefinition
  await world.library.define(name, { ...source, data: file })
  if (active === true) world.playback.activate(name)
  if (active === false) world.playback.deactivate(name)
}

/** Removes a scenario that was defined in a world; one that it hid shows again, and stays on. False where there is none. */
export function removeScenario({ library, playback }: World, name: string): boolean {
  if (!library.remove(name)) return false
  if (library.find(name) === undefined) playback.deactivate(name)
  return true
}
