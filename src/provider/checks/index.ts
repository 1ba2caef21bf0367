import type { OperationId } from '../../../schemas/contracts.js'
import { addOrganizationMember } from './add-organization-member.js'
import type { OperationChecks } from './check.js'
import { createSigningLink } from './create-signing-link.js'
import { listCreditHistories } from './credit-histories/index.js'
import { searchProtectedAttachments } from './search-protected-attachments.js'
import { updateSubOrganizationMember } from './update-sub-organization-member.js'
import { uploadSignature } from './upload-signature.js'
import { verifyDocument } from './verify-document.js'

/** What is checked of some operations beside what every contract gives. */
export const operationChecks: Readonly<Partial<Record<OperationId, OperationChecks>>> = {
  uploadSignature,
  updateSubOrganizationMember,
  verifyDocument,
  searchProtectedAttachments,
  listCreditHistories,
  addOrganizationMember,
  createSigningLink,
}
