import type { Contract } from '../../../schemas/contract.js'
import type { OperationId } from '../../../schemas/contracts.js'
import type { Check } from './check.js'
import { everyContract } from './every-contract.js'
import { listCreditHistories } from './list-credit-histories.js'
import { searchProtectedAttachments } from './search-protected-attachments.js'
import { updateSubOrganizationMember } from './update-sub-organization-member.js'
import { verifyDocument } from './verify-document.js'
import { addOrganizationMember, createSigningLink, uploadSignature } from './writes.js'

const own: Readonly<Record<OperationId, readonly Check[]>> = {
  uploadSignature,
  updateSubOrganizationMember,
  verifyDocument,
  searchProtectedAttachments,
  listCreditHistories,
  addOrganizationMember,
  createSigningLink,
}

/** What every contract says, and what the document says of this operation alone. */
export function checksOf(contract: Contract): readonly Check[] {
  return [...everyContract(contract), ...(own[contract.id as OperationId] ?? [])]
}
