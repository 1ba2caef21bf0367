import { didYouMean, quote } from '../../text/wording.js'
import type { Scenario } from './scenario.js'
import type { WorldLibrary } from './world-library.js'

/** That a world has no scenario of a name. */
export function unknownScenario(name: string, library: WorldLibrary): string {
  return `There is no scenario ${quote(name)}.${didYouMean(name, library.names())} GET /__admin/scenarios lists them.`
}

/** Why a scenario that was not defined in a world cannot be removed from it. */
export function keptScenario({ name, source }: Scenario): string {
  return KEPT[source as keyof typeof KEPT].replace('NAME', quote(name))
}

const KEPT = {
  shipped:
    'The scenario NAME ships with countersign, and cannot be removed: switch it off, or define your own in its place.',
  file: "The scenario NAME is a file's, and cannot be removed: switch it off, or delete its file.",
} as const
