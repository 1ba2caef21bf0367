import { declaredBody } from '../../../../schemas/bodies.js'
import { isSuccess } from '../../../../schemas/contract.js'
import { errorsAreOpen, statusIsOpen } from '../../../../schemas/readings.js'
import {
  contractVaried,
  knowsErrorBody,
  knowsStatus,
  OTHER_ERROR_BODIES,
  OTHER_SUCCESS,
} from '../../../../schemas/variations.js'
import { drawn } from './draw.js'
import type { Variation } from './variation.js'

/** 201 where the document does not say with which status an operation succeeds (I-01). */
export const status: Variation = {
  name: 'status',
  change: ({ status }, _, { documentedContract, readings, known, statusAsked }) => {
    if (status !== 200 || statusAsked || !statusIsOpen(documentedContract) || knowsStatus(known, documentedContract.id))
      return undefined
    const { successStatus } = OTHER_SUCCESS
    const contract = contractVaried(documentedContract, readings, OTHER_SUCCESS)
    return { contract, status: successStatus, to: String(successStatus) }
  },
}

/** Another error body where the document shows none (I-02). */
export const errorBody: Variation = {
  name: 'error-body',
  change: ({ contract: { responses }, status, said }, draw, { documentedContract, readings, known }) => {
    if (
      isSuccess(responses[status]) ||
      !errorsAreOpen(documentedContract) ||
      knowsErrorBody(known, documentedContract.id)
    )
      return undefined
    const [name, reading] = drawn(draw, Object.entries(OTHER_ERROR_BODIES))
    const contract = contractVaried(documentedContract, readings, reading)
    return { contract, body: declaredBody(contract, status, said), to: name }
  },
}
