import type { Form } from '../../../schemas/common.js'
import type { Contract } from '../../../schemas/contract.js'
import type { OperationId } from '../../../schemas/contracts.js'
import { type ContentCheck, type DeclaredReply, declareReply } from './handler.js'
import * as written from './handlers/content-checks.js'

const checks: { readonly [Name in keyof typeof written]: Name extends OperationId ? unknown : never } = written

/** The answer to a form that fits its schema, but is invalid by its content. */
export async function checkContent({ id }: Contract, form: Form | null): Promise<DeclaredReply | undefined> {
  // The types do not know that the form belongs to the operation.
  const check = (checks as Readonly<Record<string, unknown>>)[id] as ContentCheck<Contract> | undefined
  return check?.(form as never, declareReply)
}
