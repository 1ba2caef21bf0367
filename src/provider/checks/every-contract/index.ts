import type { Contract } from '../../../../schemas/contract.js'
import type { Check } from '../check.js'
import { permissionChecks } from './permission.js'
import { invalidValueChecks, missingFieldChecks, missingParameterChecks } from './refusals.js'
import { successChecks } from './successes.js'
import { tokenChecks } from './tokens.js'
import { unknownIdChecks } from './unknown-ids.js'

/** What every contract says of its calls: who may call, what must be sent, what may be sent, what exists. */
export function checksOf(contract: Contract): readonly Check[] {
  return [
    ...tokenChecks(contract),
    ...successChecks(contract),
    ...missingParameterChecks(contract),
    ...missingFieldChecks(contract),
    ...invalidValueChecks(contract),
    ...permissionChecks(contract),
    ...unknownIdChecks(contract),
  ]
}
