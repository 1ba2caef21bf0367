import type { TSchema } from '@sinclair/typebox'
import { Config } from './config.js'
import { type Contract, GATEWAY_STATUSES, gatewayIds, needsUserType, outcomeId, statusesOf } from './contract.js'
import { contracts } from './contracts.js'
import { ScenarioFile } from './scenario.js'
import { MISSING_USER_TYPE, statusIsOpen } from './switches.js'

/** The statuses that a contract declares under any interpretations, ascending. */
function possibleStatusesOf(contract: Contract): number[] {
  const statuses = [
    ...statusesOf(contract),
    ...Object.keys(contract.switched ?? {}).map(Number),
    ...(statusIsOpen(contract) ? [201] : []),
    ...(needsUserType(contract) ? MISSING_USER_TYPE : []),
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

function answerable(contract: Contract): number[] {
  return [...new Set([...possibleStatusesOf(contract), ...GATEWAY_STATUSES])].sort((a, b) => a - b)
}

const possibleOutcomes = contracts.flatMap((contract) =>
  possibleStatusesOf(contract).map((status) => outcomeId(contract, status)),
)

/** Offers the known names, and accepts any other. */
function scenarioName(shipped: readonly string[]): TSchema {
  return {
    anyOf: [{ enum: [...shipped, ...possibleOutcomes, ...gatewayIds] }, { type: 'string', minLength: 1 }],
  } as never
}

export function configForEditors(shipped: readonly string[]): TSchema {
  const config = JSON.parse(JSON.stringify(Config))
  config.properties.active.items = scenarioName(shipped)
  const [list] = config.properties.scenario.anyOf
  config.properties.scenario.anyOf = [{ ...list, items: scenarioName(shipped) }, scenarioName(shipped)]
  return config
}

export function scenarioFileForEditors(shipped: readonly string[]): TSchema {
  const file = JSON.parse(JSON.stringify(ScenarioFile))
  const rule = file.properties.rules.items
  file.properties.extends.items = scenarioName(shipped)
  const isFree = { properties: { offContract: { const: true } }, required: ['offContract'] }
  rule.allOf = contracts.map((contract) => ({
    if: { properties: { on: { const: contract.id } }, required: ['on'], not: isFree },
    then: { properties: { answer: { properties: { status: { enum: answerable(contract) } } } } },
  }))
  return file
}
