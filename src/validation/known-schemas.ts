import type { TSchema } from '@sinclair/typebox'
import { bodySchema } from '../../schemas/bodies.js'
import { Config, Options } from '../../schemas/config.js'
import { type Contract, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { Fixtures } from '../../schemas/fixtures.js'
import { ScenarioFile } from '../../schemas/scenario.js'

/** What a start checks, and every call of the API where no reading was changed. */
export const knownSchemas: readonly TSchema[] = [
  ...Object.values(Options.properties),
  Config,
  Fixtures,
  ScenarioFile,
  ...new Set(contracts.flatMap(schemasOf)),
]

function schemasOf(contract: Contract): TSchema[] {
  const bodies = statusesOf(contract).map((status) => bodySchema(contract, status))
  return [contract.params, contract.query, contract.form, ...bodies].filter((one) => one !== undefined)
}
