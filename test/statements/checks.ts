import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import type { ShownStatementId } from '../../schemas/statements.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { type Changes, type FilePart, fixtureFile, multipart, type Server, send } from '../helper.js'

export type Check = (server: Server, t: Test) => Promise<void>

/** A check of every statement of a section, such as `S2`: a missing one does not compile. */
export type ChecksOf<Section extends string> = {
  readonly [Id in Extract<ShownStatementId, `${Section}.${string}`>]: Check
}

export async function statusOf(server: Server, contract: Contract, changes?: Changes): Promise<number> {
  return (await send(server, contract, changes)).statusCode
}

/** Replaces each value in JSON by its type: `{ id: 'integer', name: 'string' }`. */
export function typesOf(value: unknown): unknown {
  if (Number.isInteger(value)) return 'integer'
  if (Array.isArray(value)) return value.map(typesOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, typesOf(member)]))
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

/** A request that does not depend on a contract. */
export interface DocumentedCall {
  readonly method: Method
  readonly path: string
  readonly query: string
  readonly fields?: readonly (readonly [name: string, value: string | FilePart])[]
}

const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const SUB_ORGANIZATION = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
const PROJECT = 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'

function call(method: Method, path: string, query: string, fields?: Record<string, string | FilePart>): DocumentedCall {
  return { method, path, query, ...(fields && { fields: Object.entries(fields) }) }
}

const KIND = 'user_type=ENTERPRISE_API'

/** Calls as the document describes them, with all required values, from the default fixtures. */
export const documentedCalls = {
  uploadSignature: call('POST', '/client/signature', KIND, { file: fixtureFile('signature.png', 'image/png') }),
  updateSubOrganizationMember: call('PUT', `/api/v2/sub-organizations/${SUB_ORGANIZATION}/members/101`, KIND, {
    role: 'Admin',
  }),
  verifyDocument: call('POST', '/api/v2/verifications/document/verify', KIND, {
    code: 'DOC-2025-0001',
    user_uuid: USER,
  }),
  searchProtectedAttachments: call('GET', '/api/v2/projects/protect', `${KIND}&keyword[sample_1]=contract`),
  listCreditHistories: call('GET', '/api/v2/credits/histories', `page=1&per_page=10&organization_uuid=${ORGANIZATION}`),
  addOrganizationMember: call('POST', '/api/v2/organization/members/add', KIND, {
    'data[0][email]': 'ada@example.test',
    'data[0][first_name]': 'Ada',
    'data[0][last_name]': 'Lovelace',
    'data[0][role]': 'Member',
    'data[0][organization_id]': '1',
  }),
  createSigningLink: call('POST', `/api/v2/projects/${PROJECT}/link`, 'email=grace@example.test'),
}

type Encoded = { readonly headers: Readonly<Record<string, string>>; readonly body?: Buffer | string }

export const encodings: Readonly<Record<string, (fields: NonNullable<DocumentedCall['fields']>) => Encoded>> = {
  'multipart/form-data': multipart,
  'application/x-www-form-urlencoded': (fields) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, String(value)])).toString(),
  }),
  'application/json': (fields) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(Object.fromEntries(fields)),
  }),
}

export function fetchOptions({ method, path, query, fields }: DocumentedCall, type = 'multipart/form-data') {
  const { headers, body }: Encoded = fields === undefined ? { headers: {} } : encodings[type]!(fields)
  return { target: `${path}?${query}`, method, headers: { ...headers, authorization: 'Bearer token-admin' }, body }
}

export function sendCall({ app }: Server, call: DocumentedCall, type?: string): Promise<LightMyRequestResponse> {
  const { target: url, body: payload, ...rest } = fetchOptions(call, type)
  return app.inject({ ...rest, url, payload })
}

/** Checks that an operation succeeds at its path only with its method. */
export function acceptsOnlyItsMethod(operation: keyof typeof documentedCalls): Check {
  const request = documentedCalls[operation]
  return async (server, t) => {
    for (const method of METHODS) {
      const { statusCode } = await sendCall(server, { ...request, method })
      t.equal(statusCode === 200, method === request.method, `${method} ${request.path} is answered ${statusCode}`)
    }
  }
}
