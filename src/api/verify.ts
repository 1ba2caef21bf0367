import { isDeepStrictEqual as isSame } from 'node:util'
import type { OperationId } from '../../schemas/contracts.js'
import {
  isReadOnly,
  isSuccess,
  isSuccessStatusAssumed,
  statusesOf,
  successStatusOf,
} from '../engine/contract/contract.js'
import { sampleBody, showsNoErrorBody } from '../engine/contract/envelopes.js'
import { isObject } from '../engine/contract/json.js'
import type { OperationChecks, SwitchComparison, VerifyDefinition } from '../tools/verify/definition.js'
import type { Shapes } from '../tools/verify/interpretations/shapes.js'
import { addOrganizationMember } from './add-organization-member/verify-checks.js'
import { createSigningLink, signingLinkBody } from './create-signing-link/verify-checks.js'
import { listCreditHistories } from './list-credit-histories/verify-checks.js'
import { searchProtectedAttachments } from './search-protected-attachments/verify-checks.js'
import type { SwitchName } from './switches.js'
import { updateSubOrganizationMember } from './update-sub-organization-member/verify-checks.js'
import { uploadSignature } from './upload-signature/verify-checks.js'
import { verifyDocument } from './verify-document/verify-checks.js'

const operations: { readonly [Id in OperationId]?: OperationChecks } = {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
}

const successStatus: SwitchComparison = {
  mayDiffer: isSuccessStatusAssumed,
  observe(operation, answers) {
    const [first, ...others] = answers.filter(({ ok }) => ok)
    if (first === undefined || others.some(({ status }) => status !== first.status)) return
    const isAllowed = first.status === 200 || first.status === 201
    if (isAllowed && isSuccessStatusAssumed(operation.contract)) operation.observe('successStatus', first, first.status)
  },
  expectedValue: successStatusOf,
}

const errorBody: SwitchComparison = {
  mayDiffer: showsNoErrorBody,
  observe(operation, answers) {
    const errors = answers.filter(({ status, body }) => status >= 400 && isObject(body))
    if (errors[0] === undefined || !showsNoErrorBody(operation.contract)) return
    operation.observe('errorBody', errors[0], errorShape(errors, operation.session.shapes))
  },
  expectedValue(contract, _, shapes) {
    const errors = statusesOf(contract).filter((status) => !isSuccess(contract.responses[status]))
    const samples = errors.map((status) => ({ status, body: sampleBody(contract, status) }))
    return errorShape(samples, shapes)
  },
}

/** The value of `errorBody` that fits most of the errors; undefined if no value fits. */
function errorShape(errors: Parameters<Shapes['errorTemplate']>[0], shapes: Shapes): unknown {
  const template = shapes.errorTemplate(errors)
  if (isSame(template, { error: { code: '{status}', message: '{message}' } })) return 'nested'
  return isSame(template, { status: 'error', message: '{message}' }) ? 'flat' : template
}

const missingUserType: SwitchComparison = {
  observe(operation, answers) {
    const { contract, session } = operation
    const isRequired = contract.query.required?.includes('user_type') === true
    // Without --allow-writes, a call that writes is invalid for other reasons as well.
    if (!isRequired || !(session.allowWrites || isReadOnly(contract))) return
    const other = answers.find(({ call: { token, query } }) => token?.kind === 'user' && !('user_type' in query))
    const isInvalid = other !== undefined && other.status >= 400 && other.status < 500
    if (isInvalid) operation.observe('missingUserType', other, other.status)
  },
  expectedValue: ({ invalidStatus }, { missingUserType = invalidStatus }) => missingUserType,
  // Without a value, each operation answers with its own invalid status.
  isUnset: ({ contract, value }) => contract.invalidStatus === value,
}

/** A switch without a comparison is observed by the checks of operations. */
const switches: { readonly [Name in SwitchName]: SwitchComparison } = {
  successStatus,
  errorBody,
  missingUserType,
  unknownOrganization: {},
  pendingInvitation: {},
  signingLinkBody,
}

export const verify: VerifyDefinition = {
  operations,
  switches,
  vocabulary: [
    ...['purchase', 'allocation', 'return', 'free credit', 'admin', 'member', 'enterprise api', 'invited'],
    ...['protected', 'verified', 'sign'],
  ],
  checkOrder: 'I-03',
  provenByPaths: ['S0.4'],
  help: {
    writes:
      'a member is updated and then restored, a new address at example.test is invited, a signature is uploaded and a signing link is created',
    withoutPermission: 'who may not manage members',
  },
}
