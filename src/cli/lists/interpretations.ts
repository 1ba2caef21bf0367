import { interpretations as decisions, type SwitchName } from '../../../schemas/interpretations.js'
import { defaultReadings, type Readings, schemaOfSwitch, switchText } from '../../../schemas/readings.js'
import { allowed } from '../../text/wording.js'
import { defineList } from './list.js'

/** Our readings of what the document leaves open, each with the current values of its switches. */
export const interpretations = defineList(
  ({ readings }) =>
    decisions.map((one) => {
      const names: readonly SwitchName[] = 'switches' in one ? one.switches : []
      const { id, about, decision, reason } = one
      return { id, about, decision, reason, switches: names.map((name) => switchOf(name, readings)) }
    }),
  ({ id, about, decision, switches }) => [
    [id, `${about}: ${decision}`],
    ...switches.map((one) => ['', describeSwitch(one)]),
  ],
)

/** The value of a switch, its default, and what it takes; null if it is not set and operations differ. */
function switchOf(name: SwitchName, readings: Readings) {
  return {
    name,
    value: readings[name] ?? null,
    default: defaultReadings[name] ?? null,
    allowed: allowed(schemaOfSwitch(name)),
  }
}

function describeSwitch(one: ReturnType<typeof switchOf>): string {
  return `${one.name}: ${switchText(one.name, one.value)}   (${one.allowed}; default ${switchText(one.name, one.default)})`
}
