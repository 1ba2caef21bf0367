import { ScenarioDefinition } from '../../../schemas/scenario.js'
import { UnusableFiles } from '../../text/invalid-files.js'
import type { SourceFile } from '../../text/source-file.js'
import { requireSchema } from '../../validation/explain.js'
import { activeScenarios } from '../settings.js'
import type { World } from '../world.js'

/**
 * Defines a scenario in a world, or replaces it, by what a source says of it. Where that does not say whether it is on,
 * a new one is off, and another stays as it was.
 * @throws {InvalidFiles} with every complaint
 */
export async function defineScenario(world: World, name: string, source: SourceFile): Promise<void> {
  const { active, rules, extends: base } = (source.data ?? {}) as ScenarioDefinition
  if (rules === undefined && base === undefined) {
    await requireSchema(source, ScenarioDefinition)
    throw new UnusableFiles([
      await source.complain('schema', [], "'rules' is missing: add a list of rules, or extend a scenario."),
    ])
  }
  await world.library.define(name, source, ScenarioDefinition)
  if (active === true) world.playback.activate(name)
  if (active === false) world.playback.deactivate(name)
}

/** Removes a scenario that was defined in a world; one that it hid shows again. False where there is none. */
export function removeScenario({ library, playback, settings }: World, name: string): boolean {
  if (!library.remove(name)) return false
  // What it hid is on where the settings say so.
  if (!activeScenarios(settings).includes(name)) playback.deactivate(name)
  return true
}
