import type { TSchema } from '@sinclair/typebox'
import { contracts } from '../../../schemas/contracts.js'
import { MISSING_USER_TYPE, statusIsOpen } from '../../api/switches.js'
import {
  type Contract,
  GATEWAY_STATUSES,
  gatewayIds,
  needsUserType,
  outcomeId,
  outcomeIdsOf,
  statusesOf,
} from '../contract/contract.js'
import { Config } from './config.js'
import { ScenarioFile } from './scenario.js'

/** The statuses that a contract declares only under another interpretation, each with that. */
function switchedStatusesOf(contract: Contract): ReadonlyMap<number, string> {
  const switched = [
    ...Object.entries(contract.switched ?? {}).map(([status, { when }]) => [Number(status), when.join(': ')] as const),
    ...(statusIsOpen(contract) ? [[201, 'successStatus: 201'] as const] : []),
    ...(needsUserType(contract) ? MISSING_USER_TYPE.map((one) => [one, `missingUserType: ${one}`] as const) : []),
  ]
  return new Map(switched.filter(([status]) => !(status in contract.responses)))
}

/** Says which interpretation a value needs. */
const needing = (value: number | string, interpretation: string) => ({
  const: value,
  description: `Only if the config's interpretations have ${interpretation}.`,
})

function answerable(contract: Contract): object {
  const always = [...new Set([...statusesOf(contract), ...GATEWAY_STATUSES])].sort((a, b) => a - b)
  const switched = [...switchedStatusesOf(contract)].filter(([status]) => !always.includes(status))
  return { anyOf: [{ enum: always }, ...switched.map(([status, interpretation]) => needing(status, interpretation))] }
}

const switchedOutcomes = contracts.flatMap((contract) =>
  Array.from(switchedStatusesOf(contract), ([status, interpretation]) =>
    needing(outcomeId(contract, status), interpretation),
  ),
)

/** Offers the known names, and accepts any other. */
function scenarioName(shipped: readonly string[]): TSchema {
  const names = [...shipped, ...outcomeIdsOf(contracts), ...gatewayIds]
  return { anyOf: [{ enum: names }, ...switchedOutcomes, { type: 'string', minLength: 1 }] } as never
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
    then: { properties: { answer: { properties: { status: answerable(contract) } } } },
  }))
  return file
}
