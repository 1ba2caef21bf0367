import type { OperationId } from '../../../schemas/contracts.js'
import { addOrganizationMember } from './add-organization-member.js'
import type { Check } from './check.js'
import { createSigningLink } from './create-signing-link.js'
import { listCreditHistories } from './list-credit-histories.js'
import { searchProtectedAttachments } from './search-protected-attachments.js'
import { updateSubOrganizationMember } from './update-sub-organization-member.js'
import { uploadSignature } from './upload-signature.js'
import { verifyDocument } from './verify-document.js'

/** The checks of each operation, beside those that every contract gives. */
export const operationChecks: Readonly<Record<OperationId, readonly Check[]>> = {
  uploadSignature,
  updateSubOrganizationMember,
  verifyDocument,
  searchProtectedAttachments,
  listCreditHistories,
  addOrganizationMember,
  createSigningLink,
}
