import type { Form } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import type { OperationId } from '../../../schemas/contracts.js'
import { type DeclaredReply, declareReply, type Refuse } from './handler.js'
import { refuseNoImage } from './handlers/upload-signature.js'
import { refuseNoDocument } from './handlers/verify-document.js'

const refusals = {
  uploadSignature: refuseNoImage,
  verifyDocument: refuseNoDocument,
} satisfies { readonly [Id in OperationId]?: unknown }

/** How an operation refuses a valid form by its content alone; undefined if it does not. */
export async function refusalOf({ id }: Contract, form: Form | null): Promise<DeclaredReply | undefined> {
  // The types do not know that the form belongs to the operation.
  const refuse = (refusals as Readonly<Record<string, unknown>>)[id] as Refuse<Contract> | undefined
  return refuse?.(form as never, declareReply)
}
