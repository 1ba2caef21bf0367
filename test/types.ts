/**
 * What must not compile. `npm run types` reads this file; nothing runs it. Where one of the lines below compiles after
 * all, the compiler complains about its unused `@ts-expect-error`.
 */
import { Type } from '@sinclair/typebox'
import type { addOrganizationMember } from '../schemas/add-organization-member.js'
import type { OperationId } from '../schemas/contracts.js'
import { defineContract } from '../schemas/conventions.js'
import type { createSigningLink } from '../schemas/create-signing-link.js'
import type { listCreditHistories } from '../schemas/list-credit-histories.js'
import type { uploadSignature } from '../schemas/upload-signature.js'
import type { Handler as WholeHandler } from '../src/api/handler-type.js'
import * as handlers from '../src/api/handlers.js'
import { bodyNotShown, type Contract, shown } from '../src/engine/contract/contract.js'

type Handler<C extends Contract> = WholeHandler<C>['handle']
type Upload = Handler<typeof uploadSignature>
const stored = { status: 'success', message: 'Stored.', signature_id: '5f0c7c1e-8a4b-4c57-9d0e-2b6f4a1c9e37' }

// @ts-expect-error: a promise is no reply
export const later: Upload = async (_, reply) => reply(422, 'Send an image.')

// @ts-expect-error: the signature upload declares no 404
export const undeclared: Upload = (_, reply) => reply(404, 'Not found.')
// @ts-expect-error: the compiler must know the status
export const computed: Upload = (_, reply) => reply(400 as number, 'Invalid.')

// A 200 without a field, with another type, or with a message only does not compile.
// @ts-expect-error: signature_id is missing
export const incomplete: Upload = (_, reply) => reply(200, { status: 'success', message: 'Stored.' })
// @ts-expect-error: signature_id is a string
export const mistyped: Upload = (_, reply) => reply(200, { ...stored, signature_id: 1 })
// @ts-expect-error: the body of a 200 is no message
export const textFor200: Upload = (_, reply) => reply(200, 'Stored.')

// A status that a switch adds compiles only for its contract.
// @ts-expect-error: no switch brings a 409 in
export const statusOfNoSwitch: Handler<typeof listCreditHistories> = (_, reply) => reply(409, 'Taken.')
// @ts-expect-error: a 201 is a 200 by another name, which the interpretations give it
export const created: Upload = (_, reply) => reply(201, stored)

// An error's body is its message: the envelope is not the handler's.
// @ts-expect-error: not an object
export const enveloped: Upload = (_, reply) => reply(422, { error: { code: 422, message: 'Send an image.' } })
// @ts-expect-error: not nothing
export const noBody: Upload = (_, reply) => reply(422)

// A handler reads what its contract declares, and nothing else.
// @ts-expect-error: there is no second entry
export const misreads: Handler<typeof addOrganizationMember> = ({ form }, reply) => reply(409, form['data[1][email]'])
// @ts-expect-error: the signing link has no form
export const formless: Handler<typeof createSigningLink> = ({ form }, reply) => reply(404, form.email.toUpperCase())

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
const withdrawn = shown.answer(['I-01'], '', Type.Object({ count: Type.Integer() }), { count: 1 })
const refused = bodyNotShown.error(['I-02'], '', '')
const extra = defineContract({ ...withdrawal, responses: { 200: withdrawn, 400: refused, 401: refused, 409: refused } })

// A contract declares every status that a request may end with.
// @ts-expect-error: its invalid status, 400, is not among the responses
export const undocumented = defineContract({ ...withdrawal, responses: { 200: withdrawn, 401: refused } })
// @ts-expect-error: every operation needs a token, and refuses those without
export const tokenless = defineContract({ ...withdrawal, responses: { 200: withdrawn, 400: refused } })
export const permitted = defineContract({
  ...withdrawal,
  permission: 'manage_sub_organization_members',
  // @ts-expect-error: a permission may be missing, which is a 403
  responses: { 200: withdrawn, 400: refused, 401: refused },
})

// An operation without parameters cannot be invalid.
export const alwaysValid = defineContract({ ...parameterless, responses: { 200: withdrawn, 401: refused } })
// @ts-expect-error: it needs a token nevertheless
export const anonymous = defineContract({ ...parameterless, responses: { 200: withdrawn } })
// @ts-expect-error: a form can be invalid
export const formOnly = defineContract({
  ...parameterless,
  form: Type.Object({ reason: Type.String() }),
  responses: { 200: withdrawn, 401: refused },
})
// @ts-expect-error: a query can be invalid
export const queryOnly = defineContract({
  ...parameterless,
  query: Type.Object({ reason: Type.Optional(Type.String()) }),
  responses: { 200: withdrawn, 401: refused },
})

// A contract and its handler fit; a handler of another contract does not.
export const fits: Handler<typeof extra> = (_, reply) => reply(409, 'Withdrawn already.')
// @ts-expect-error: an answer is made by reply alone
export const handmadeReply: Handler<typeof extra> = () => ({ status: 409, body: 'Withdrawn already.' })
// @ts-expect-error: that handler is of another contract
export const misfits: Handler<typeof extra> = handlers.updateSubOrganizationMember.handle
// @ts-expect-error: an example that is not of its schema
export const misleading = shown.answer(['I-01'], '', Type.Object({ count: Type.Integer() }), { count: 'one' })

// A contract without its handler does not compile in src/api/index.ts, nor a handler of another contract.
type All = { readonly [Id in OperationId]: unknown }
export const complete: All = handlers
const { verifyDocument: _, ...rest } = handlers
// @ts-expect-error: one handler is missing
export const missing: All = rest
