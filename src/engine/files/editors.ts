import type { TObject, TSchema } from '@sinclair/typebox'
import { type Contract, GATEWAY_STATUSES, gatewayIds, outcomeId, statusesOf } from '../contract/contract.js'
import type { Switches } from '../contract/switches.js'
import type { ScenarioFormat } from './scenario.js'

interface SuggestedNames {
  readonly contracts: readonly Contract[]
  readonly switches: Switches
  readonly shipped: readonly string[]
}

function possibleStatuses(contract: Contract, switches: Switches): readonly number[] {
  return [...statusesOf(contract), ...Object.values(switches).flatMap((one) => one.statuses?.(contract) ?? [])]
}

/** Suggests names, and accepts any other. */
function scenarioName({ contracts, switches, shipped }: SuggestedNames): object {
  const outcomes = contracts.flatMap((contract) =>
    possibleStatuses(contract, switches).map((status) => outcomeId(contract, status)),
  )
  const names = [...shipped, ...outcomes, ...gatewayIds]
  return { anyOf: [{ enum: [...new Set(names)] }, { type: 'string', minLength: 1 }] }
}

export function configForEditors(schema: TObject, names: SuggestedNames): TSchema {
  const config = JSON.parse(JSON.stringify(schema))
  const [sandbox] = Object.values<TSchema>(config.properties.sandboxes.patternProperties)
  for (const { properties } of [config, sandbox]) properties.active.items = scenarioName(names)
  const [list] = config.properties.scenario.anyOf
  config.properties.scenario.anyOf = [{ ...list, items: scenarioName(names) }, scenarioName(names)]
  return config
}

export function scenarioFileForEditors(format: ScenarioFormat, names: SuggestedNames): TSchema {
  const file = JSON.parse(JSON.stringify(format.file))
  const rule = file.properties.rules.items
  file.properties.extends.items = scenarioName(names)
  const isOffContract = { properties: { offContract: { const: true } }, required: ['offContract'] }
  const statusesFor = (contract: Contract) => [
    ...new Set([...possibleStatuses(contract, names.switches), ...GATEWAY_STATUSES]),
  ]
  rule.allOf = format.contracts.map((contract) => ({
    if: { properties: { on: { const: contract.id } }, required: ['on'], not: isOffContract },
    then: { properties: { answer: { properties: { status: { enum: statusesFor(contract) } } } } },
  }))
  return file
}
