import { outcomeId } from '../../../schemas/contract.js'
import { contracts } from '../../../schemas/contracts.js'
import { contractsUnder } from '../../../schemas/contracts-under.js'
import { defineList } from './list.js'

/** The outcomes under the current readings. */
export const outcomes = defineList(
  ({ readings }) =>
    contractsUnder(contracts, readings).flatMap((contract) =>
      Object.entries(contract.responses).map(([status, { provenance, description }]) => ({
        outcome: outcomeId(contract, Number(status)),
        provenance,
        description,
      })),
    ),
  ({ outcome, provenance, description }) => [[outcome, provenance, description]],
)
