import { type SchemaOptions, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { type Cites, cited } from '../src/engine/contract/cites.js'
import { bodyNotShown, contractDefiner, type Failure, reason } from '../src/engine/contract/contract.js'
import type { Conventions, Envelope } from '../src/engine/contract/conventions.js'
import { oneOf, SINGLE_LINE } from '../src/engine/contract/fields.js'

/** The one error body that the document shows (section "Errors"), used for every operation (I-02). */
export const ErrorBody = Type.Object(
  {
    error: cited(
      ['SE.7'],
      Type.Object({
        code: cited(['SE.7'], Type.Integer({ description: 'The status.', examples: [400] })),
        message: cited(['SE.7', 'SE.8'], Type.String({ description: 'Names the parameter if one is missing.' })),
      }),
    ),
  },
  {
    $id: 'Error',
    description:
      'An error. The API document shows this body for the credit histories; using it for the other operations is an interpretation (I-02).',
  },
)

const nested: Envelope = { schema: ErrorBody, body: (code, message) => ({ error: { code, message } }) }

/** The rules for all operations; a contract cites the rules of its own operation. */
export const conventions = {
  baseUrl: 'S0.1',
  form: 'S0.2',
  json: 'S0.3',
  unreadableBody: 'I-13',
  encodings: 'I-24#Invalid',
  bodyLimit: 'I-16',
  needsToken: 'SA.1',
  invalidToken: 'SA.4',
  wrongTokenHeader: 'I-15',
  forbidden: 'SE.2',
  unexpectedError: 'SE.6',
  successStatus: 'I-01',
  documentedErrorBody: 'SE.7',
  assumedErrorBody: 'I-02',
  unknownNames: 'I-12',
  repeatedNames: 'I-17',
  emailAddresses: 'I-19#An e-mail address',
  emptyFields: 'I-20',
  times: 'I-22',
  tokenHeaders: [
    {
      name: 'authorization',
      displayName: 'Authorization',
      scheme: 'Bearer',
      cites: ['SA.2', 'SA.1'],
      security: {
        name: 'bearer',
        description:
          'The user token, as `Authorization: Bearer <USER_TOKEN>`. countersign prints the tokens it knows when it starts.',
      },
    },
    {
      name: 'user-token',
      displayName: 'user-token',
      cites: ['SA.3', 'I-15'],
      security: {
        name: 'userToken',
        description: 'The user token in a separate header; `Authorization` wins if both are sent (I-15).',
      },
    },
  ],
  permissions: { manage_sub_organization_members: ['SA.5'] },
  envelope: nested,
} as const satisfies Conventions

export type Permission = keyof typeof conventions.permissions
export const PERMISSIONS = Object.keys(conventions.permissions) as Permission[]

/** Defines one of the document's contracts. */
export const defineContract = contractDefiner(conventions)

/** The documented value of `user_type`. */
export const USER_TYPE = 'ENTERPRISE_API'

/** The statuses that a service may send if the user type is missing or not the documented one (I-04). */
export const MISSING_USER_TYPE_STATUSES = [400, 401, 422] as const

export const userType = (cites: Cites) =>
  cited(
    [...cites, 'SA.6'],
    oneOf([USER_TYPE], {
      description: 'Selects the enterprise API user kind.',
      examples: [USER_TYPE],
      'x-open-statuses': { statuses: MISSING_USER_TYPE_STATUSES, cites: ['I-04'] },
    }),
    { enum: cites },
  )

/** A field of which the document shows only the name and type. */
export const anyText = (cites: Cites, options: SchemaOptions = {}) => cited([...cites, 'I-22'], Type.String(options))

/** A person's name or another line of text. */
export const singleLine = (options: SchemaOptions = {}) =>
  Type.String({
    minLength: 1,
    pattern: SINGLE_LINE,
    // By interpretation, blank texts and control characters are invalid.
    'x-limit-cites': { minLength: ['I-20#An empty required'], pattern: ['I-19'] },
    ...options,
  })

/** A string or an integer: in a form there is no difference. */
export const identifier = (options: SchemaOptions = {}) => singleLine({ 'x-types': ['string', 'integer'], ...options })

const PAGE_NUMBERS = 'I-06#`page` and `per_page`'

export const count = (options: SchemaOptions = {}) =>
  Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    'x-limit-cites': { minimum: [PAGE_NUMBERS], maximum: [PAGE_NUMBERS] },
    ...options,
  })

/** An optional text: if it is empty, it counts as not sent (I-20), because HTML forms send unused fields empty. */
export function optionalText<S extends TSchema>(schema: S) {
  const { minLength: _, pattern, ...rest }: TSchema & { minLength?: number; pattern?: string } = schema
  const { minLength: __, ...limits } = rest['x-limit-cites'] ?? {}
  const mayBeEmpty = {
    ...rest,
    'x-cites': [...new Set([...(rest['x-cites'] ?? []), 'I-20'])],
    'x-limit-cites': limits,
    'x-absent-when-empty': true,
    ...(pattern !== undefined && { pattern: `^$|${pattern}`, 'x-allowed': 'text without control characters' }),
  }
  // The type of its values is the same.
  return Type.Optional(mayBeEmpty as unknown as S)
}

export const jsonBody = <P extends TProperties>(cites: Cites, fields: P) =>
  cited([...cites, conventions.json], Type.Object(fields))

export const unauthorized = bodyNotShown.error(
  [conventions.invalidToken],
  'Authentication failed or token missing.',
  'The user token is missing or invalid.',
)

/** The 400 that several operations declare, with its sample message. */
export const invalidInput = (message: string): Failure =>
  bodyNotShown.error(['SE.1'], 'Missing or invalid parameters or input.', message)

export const serverError = bodyNotShown.error(
  [conventions.unexpectedError],
  'Unexpected server error.',
  'Unexpected server error.',
)

export const badToken = reason('no token or an unknown one', conventions.invalidToken)
export const noUserType = reason('no `user_type`', 'SU.1', 'SE.1')
