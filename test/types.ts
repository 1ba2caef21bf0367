/**
 * Code that must not compile. `npm run types` checks this file; nothing runs it. If one of these lines compiles, the
 * compiler reports its `@ts-expect-error` as unused.
 */
import { Type } from '@sinclair/typebox'
import type { addOrganizationMember } from '../schemas/add-organization-member.js'
import type { OperationId } from '../schemas/contracts.js'
import { defineContract } from '../schemas/conventions.js'
import type { listCreditHistories } from '../schemas/list-credit-histories.js'
import type { uploadSignature } from '../schemas/upload-signature.js'
import type { Handler as WholeHandler } from '../src/api/handler-type.js'
import * as handlers from '../src/api/handlers.js'
import { bodyNotShown, type Contract, shown } from '../src/engine/contract/contract.js'

type Handler<C extends Contract> = WholeHandler<C>['handle']
type Upload = Handler<typeof uploadSignature>
const stored = { status: 'success', message: 'Stored.', signature_id: '5f0c7c1e-8a4b-4c57-9d0e-2b6f4a1c9e37' }

// @ts-expect-error: a handler returns no promise
export const later: Upload = async (_, reply) => reply(422, 'Send an image.')

// @ts-expect-error: the signature upload declares no 404
export const undeclared: Upload = (_, reply) => reply(404, 'Not found.')
// @ts-expect-error: the compiler must know the status
export const computed: Upload = (_, reply) => reply(400 as number, 'Invalid.')

// A 200 needs all fields with their types; a message is not enough.
// @ts-expect-error: signature_id is missing
export const incomplete: Upload = (_, reply) => reply(200, { status: 'success', message: 'Stored.' })
// @ts-expect-error: signature_id is a string
export const mistyped: Upload = (_, reply) => reply(200, { ...stored, signature_id: 1 })

// A contract accepts only the statuses that its own switches add.
// @ts-expect-error: no switch adds a 409
export const statusWithoutSwitch: Handler<typeof listCreditHistories> = (_, reply) => reply(409, 'Taken.')
// @ts-expect-error: handlers reply with 200, which the switch successStatus turns into 201
export const created: Upload = (_, reply) => reply(201, stored)

// The handler passes only an error's message; the engine adds the envelope.
// @ts-expect-error: the message is text
export const enveloped: Upload = (_, reply) => reply(422, { error: { code: 422, message: 'Send an image.' } })

// A handler reads only the fields that its contract declares.
// @ts-expect-error: the form has no data[1]
export const misreads: Handler<typeof addOrganizationMember> = ({ form }, reply) => reply(409, form['data[1][email]'])

const parameterless = {
  id: 'withdrawDocument',
  section: 8,
  summary: '',
  description: '',
  cites: ['I-12'],
  method: 'POST',
  path: '/withdraw',
  tokenHeaders: ['authorization'],
  params: Type.Object({}),
  query: Type.Object({}),
} as const
const withdrawal = { ...parameterless, invalidStatus: 400 } as const
const success = shown.answer(['I-01'], '', Type.Object({ count: Type.Integer() }), { count: 1 })
const failure = bodyNotShown.error(['I-02'], '', '')
const sample = defineContract({ ...withdrawal, responses: { 200: success, 400: failure, 401: failure, 409: failure } })

// A contract declares every status that a request may end with.
// @ts-expect-error: its invalid status, 400, is not among the responses
export const undocumented = defineContract({ ...withdrawal, responses: { 200: success, 401: failure } })
// @ts-expect-error: every operation needs a token, so it declares 401
export const tokenless = defineContract({ ...withdrawal, responses: { 200: success, 400: failure } })
export const permitted = defineContract({
  ...withdrawal,
  permission: 'manage_sub_organization_members',
  // @ts-expect-error: a caller may lack the permission, so it declares 403
  responses: { 200: success, 400: failure, 401: failure },
})

// An operation without parameters cannot be invalid.
export const alwaysValid = defineContract({ ...parameterless, responses: { 200: success, 401: failure } })
// @ts-expect-error: it still needs a token, so it declares 401
export const anonymous = defineContract({ ...parameterless, responses: { 200: success } })
// @ts-expect-error: a form can be invalid
export const formOnly = defineContract({
  ...parameterless,
  form: Type.Object({ reason: Type.String() }),
  responses: { 200: success, 401: failure },
})

// A handler fits only its own contract.
export const fittingHandler: Handler<typeof sample> = (_, reply) => reply(409, 'Withdrawn already.')
// @ts-expect-error: only reply makes an answer
export const handmadeReply: Handler<typeof sample> = () => ({ status: 409, body: 'Withdrawn already.' })
// @ts-expect-error: the handler belongs to another contract
export const otherHandler: Handler<typeof sample> = handlers.updateSubOrganizationMember.handle
// @ts-expect-error: the example does not fit its schema
export const misfitExample = shown.answer(['I-01'], '', Type.Object({ count: Type.Integer() }), { count: 'one' })

// src/api/index.ts compiles only if each contract has its own handler.
type All = { readonly [Id in OperationId]: unknown }
export const complete: All = handlers
const { verifyDocument: _, ...rest } = handlers
// @ts-expect-error: one handler is missing
export const missing: All = rest
