/** One line for each operation of which more is known than its contract says. */
export { addOrganizationMember } from './add-organization-member/checks.js'
export { createSigningLink } from './create-signing-link/checks.js'
export { listCreditHistories } from './list-credit-histories/checks.js'
export { searchProtectedAttachments } from './search-protected-attachments/checks.js'
export { updateSubOrganizationMember } from './update-sub-organization-member/checks.js'
export { uploadSignature } from './upload-signature/checks.js'
export { verifyDocument } from './verify-document/checks.js'
