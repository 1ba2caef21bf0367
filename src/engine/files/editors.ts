import type { TObject, TSchema } from '@sinclair/typebox'
import {
  type Contract,
  GATEWAY_STATUSES,
  gatewayIds,
  outcomeId,
  outcomeIdsOf,
  statusesOf,
} from '../contract/contract.js'
import type { Switches } from '../contract/switches.js'
import type { ScenarioFormat } from './scenario.js'

interface Known {
  readonly contracts: readonly Contract[]
  readonly switches: Switches
  readonly shipped: readonly string[]
}

/** Statuses that only another value of a switch declares. */
function switchedStatusesOf(contract: Contract, switches: Switches): ReadonlyMap<number, string> {
  const switched = Object.entries(switches).flatMap(([name, one]) =>
    (one.statuses?.(contract) ?? []).map(([status, value]) => [status, `${name}: ${value}`] as const),
  )
  return new Map(switched.filter(([status]) => !(status in contract.responses)))
}

const needing = (value: number | string, interpretation: string) => ({
  const: value,
  description: `Only if the config's interpretations have ${interpretation}.`,
})

function answerable(contract: Contract, switches: Switches): object {
  const always = [...new Set([...statusesOf(contract), ...GATEWAY_STATUSES])].sort((a, b) => a - b)
  const switched = [...switchedStatusesOf(contract, switches)].filter(([status]) => !always.includes(status))
  return { anyOf: [{ enum: always }, ...switched.map(([status, interpretation]) => needing(status, interpretation))] }
}

/** Suggests known names, and accepts any. */
function scenarioName({ contracts, switches, shipped }: Known): object {
  const names = [...shipped, ...outcomeIdsOf(contracts), ...gatewayIds]
  const switchedOutcomes = contracts.flatMap((contract) =>
    Array.from(switchedStatusesOf(contract, switches), ([status, interpretation]) =>
      needing(outcomeId(contract, status), interpretation),
    ),
  )
  return { anyOf: [{ enum: names }, ...switchedOutcomes, { type: 'string', minLength: 1 }] }
}

export function configForEditors(schema: TObject, known: Known): TSchema {
  const config = JSON.parse(JSON.stringify(schema))
  config.properties.active.items = scenarioName(known)
  const [list] = config.properties.scenario.anyOf
  config.properties.scenario.anyOf = [{ ...list, items: scenarioName(known) }, scenarioName(known)]
  return config
}

export function scenarioFileForEditors(format: ScenarioFormat, known: Known): TSchema {
  const file = JSON.parse(JSON.stringify(format.file))
  const rule = file.properties.rules.items
  file.properties.extends.items = scenarioName(known)
  const isFree = { properties: { offContract: { const: true } }, required: ['offContract'] }
  rule.allOf = format.contracts.map((contract) => ({
    if: { properties: { on: { const: contract.id } }, required: ['on'], not: isFree },
    then: { properties: { answer: { properties: { status: answerable(contract, known.switches) } } } },
  }))
  return file
}
