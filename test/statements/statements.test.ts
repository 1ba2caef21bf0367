import t from 'tap'
import { type ShownStatementId, statements } from '../../schemas/statements.js'
import { build } from '../helper.js'
import { addOrganizationMemberChecks } from './add-organization-member.js'
import { authentication, userTypes } from './authentication.js'
import type { Check } from './checks.js'
import { conventions } from './conventions.js'
import { createSigningLinkChecks } from './create-signing-link.js'
import { errors } from './errors.js'
import { listCreditHistoriesChecks } from './list-credit-histories.js'
import { searchProtectedAttachmentsChecks } from './search-protected-attachments.js'
import { updateSubOrganizationMemberChecks } from './update-sub-organization-member.js'
import { uploadSignatureChecks } from './upload-signature.js'
import { verifyDocumentChecks } from './verify-document.js'

/** A check for each statement of the document: a missing check does not compile. */
const checks: { readonly [Id in ShownStatementId]: Check } = {
  ...conventions,
  ...authentication,
  ...userTypes,
  ...errors,
  ...uploadSignatureChecks,
  ...updateSubOrganizationMemberChecks,
  ...verifyDocumentChecks,
  ...searchProtectedAttachmentsChecks,
  ...listCreditHistoriesChecks,
  ...addOrganizationMemberChecks,
  ...createSigningLinkChecks,
}

for (const statement of statements) {
  if ('notShown' in statement) continue
  t.test(`${statement.id}: ${statement.text}`, async (t) => {
    await checks[statement.id as ShownStatementId](await build(t), t)
  })
}
