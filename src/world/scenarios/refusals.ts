import { didYouMean, quote } from '../../text/wording.js'
import type { Scenario } from './scenario.js'
import type { WorldLibrary } from './world-library.js'

/** That a world has no scenario of a name. */
export function unknownScenario(name: string, library: WorldLibrary): string {
  return `There is no scenario ${quote(name)}.${didYouMean(name, library.names())} GET /__admin/scenarios lists them.`
}

/** Why a scenario that was not defined in a world cannot be removed from it. */
export function keptScenario({ name, source, forces }: Scenario): string {
  return KEPT[forces === undefined ? (source as keyof typeof KEPT) : 'outcome'].replace('NAME', quote(name))
}

const KEPT = {
  outcome: 'The scenario NAME is an outcome and cannot be removed. Switch it off.',
  shipped:
    'The scenario NAME ships with countersign and cannot be removed. Switch it off, or define your own with this name.',
  file: 'The scenario NAME comes from a file and cannot be removed. Switch it off, or delete the file.',
} as const
