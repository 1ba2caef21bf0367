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

/** A schema that suggests names to editors of code, and accepts any other. */
function scenarioNameSchema({ contracts, switches, shipped }: SuggestedNames): object {
  const outcomes = contracts.flatMap((contract) =>
    possibleStatuses(contract, switches).map((status) => outcomeId(contract, status)),
  )
  const names = [...shipped, ...outcomes, ...gatewayIds]
  return { anyOf: [{ enum: [...new Set(names)] }, { type: 'string', minLength: 1 }] }
}

export function configSchemaForEditors(schema: TObject, names: SuggestedNames): TSchema {
  const config = JSON.parse(JSON.stringify(schema))
  const [sandbox] = Object.values<TSchema>(config.properties.sandboxes.patternProperties)
  for (const { properties } of [config, sandbox]) properties.active.items = scenarioNameSchema(names)
  const [list] = config.properties.scenario.anyOf
  config.properties.scenario.anyOf = [{ ...list, items: scenarioNameSchema(names) }, scenarioNameSchema(names)]
  return config
}

export function scenarioSchemaForEditors(format: ScenarioFormat, names: SuggestedNames): TSchema {
  const file = JSON.parse(JSON.stringify(format.file))
  const rule = file.properties.rules.items
  file.properties.extends.items = scenarioNameSchema(names)
  const offContractRule = { properties: { offContract: { const: true } }, required: ['offContract'] }
  const statusesFor = (contract: Contract) => [
    ...new Set([...possibleStatuses(contract, names.switches), ...GATEWAY_STATUSES]),
  ]
  rule.allOf = format.contracts.map((contract) => ({
    if: { properties: { on: { const: contract.id } }, required: ['on'], not: offContractRule },
    then: { properties: { answer: { properties: { status: { enum: statusesFor(contract) } } } } },
  }))
  return file
}
