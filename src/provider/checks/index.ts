import type { OperationId } from '../../../schemas/contracts.js'
import type { Check } from './check.js'
import { listCreditHistories } from './list-credit-histories.js'
import { searchProtectedAttachments } from './search-protected-attachments.js'
import { updateSubOrganizationMember } from './update-sub-organization-member.js'
import { verifyDocument } from './verify-document.js'
import { addOrganizationMember, createSigningLink, uploadSignature } from './writes.js'

export const operationChecks: Readonly<Record<OperationId, readonly Check[]>> = {
  uploadSignature,
  updateSubOrganizationMember,
  verifyDocument,
  searchProtectedAttachments,
  listCreditHistories,
  addOrganizationMember,
  createSigningLink,
}
