/** One line for each operation of which more is known than its contract says. */
export { addOrganizationMember } from './add-organization-member.js'
export { createSigningLink } from './create-signing-link.js'
export { listCreditHistories } from './list-credit-histories.js'
export { searchProtectedAttachments } from './search-protected-attachments.js'
export { updateSubOrganizationMember } from './update-sub-organization-member.js'
export { uploadSignature } from './upload-signature.js'
export { verifyDocument } from './verify-document.js'
