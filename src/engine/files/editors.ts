import type { TObject, TSchema } from '@sinclair/typebox'
import { type Contract, GATEWAY_STATUSES, gatewayIds, outcomeId, statusesOf } from '../contract/contract.js'
import type { Switches } from '../contract/switches.js'
import type { ScenarioFormat } from './scenario.js'

interface KnownNames {
  readonly contracts: readonly Contract[]
  readonly switches: Switches
  readonly shipped: readonly string[]
}

function possibleStatuses(contract: Contract, switches: Switches): readonly number[] {
  return [...statusesOf(contract), ...Object.values(switches).flatMap((one) => one.statuses?.(contract) ?? [])]
}

/** Suggests known names, and accepts any. */
function scenarioName({ contracts, switches, shipped }: KnownNames): object {
  const outcomes = contracts.flatMap((contract) =>
    possibleStatuses(contract, switches).map((status) => outcomeId(contract, status)),
  )
  const names = [...shipped, ...outcomes, ...gatewayIds]
  return { anyOf: [{ enum: [...new Set(names)] }, { type: 'string', minLength: 1 }] }
}

export function configForEditors(schema: TObject, known: KnownNames): TSchema {
  const config = JSON.parse(JSON.stringify(schema))
  const [named] = Object.values<TSchema>(config.properties.sandboxes.patternProperties)
  for (const one of [config, named]) one.properties.active.items = scenarioName(known)
  const [list] = config.properties.scenario.anyOf
  config.properties.scenario.anyOf = [{ ...list, items: scenarioName(known) }, scenarioName(known)]
  return config
}

export function scenarioFileForEditors(format: ScenarioFormat, known: KnownNames): TSchema {
  const file = JSON.parse(JSON.stringify(format.file))
  const rule = file.properties.rules.items
  file.properties.extends.items = scenarioName(known)
  const isFree = { properties: { offContract: { const: true } }, required: ['offContract'] }
  const statusesFor = (contract: Contract) => [
    ...new Set([...possibleStatuses(contract, known.switches), ...GATEWAY_STATUSES]),
  ]
  rule.allOf = format.contracts.map((contract) => ({
    if: { properties: { on: { const: contract.id } }, required: ['on'], not: isFree },
    then: { properties: { answer: { properties: { status: { enum: statusesFor(contract) } } } } },
  }))
  return file
}
