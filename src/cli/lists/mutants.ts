import { contracts } from '../../../schemas/contracts.js'
import { contractsUnder } from '../../../schemas/contracts-under.js'
import { mutantsOf } from '../../coverage/mutants/mutants.js'
import { defineList } from './list.js'

/** The mutants under the current readings. */
export const mutants = defineList(
  ({ readings }) =>
    contractsUnder(contracts, readings)
      .flatMap(mutantsOf)
      .map(({ id, cites }) => ({ mutant: id, cites })),
  ({ mutant, cites }) => [[mutant, cites.join(', ')]],
)
