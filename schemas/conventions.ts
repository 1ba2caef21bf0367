import { type TProperties, Type } from '@sinclair/typebox'
import { type Cite, type Cites, cited } from '../src/engine/contract/cites.js'
import {
  bodyNotShown,
  cause,
  type Failure,
  type Permission,
  type TokenHeader,
} from '../src/engine/contract/contract.js'

/** The rules for all operations; those for one are cited in its contract. */
export const conventions = {
  baseAddress: 'S0.1',
  form: 'S0.2',
  unreadableBody: 'I-13',
  encodings: 'I-24',
  bodyLimit: 'I-16',
  json: 'S0.3',
  prefix: 'S0.4',
  needsToken: 'SA.1',
  authorization: 'SA.2',
  userToken: 'SA.3',
  invalidToken: 'SA.4',
  requiredUserType: 'SU.1',
  unexpectedError: 'SE.6',
  forbidden: 'SE.2',
  errorBody: 'SE.7',
  successStatus: 'I-01',
  openErrorBody: 'I-02',
  order: 'I-03',
  userType: 'I-04',
  unknownNames: 'I-12',
  unreadToken: 'I-15',
  repeatedNames: 'I-17',
  addresses: 'I-19',
  emptyFields: 'I-20',
  times: 'I-22',
} as const satisfies Readonly<Record<string, Cite>>

export const tokenHeaderCites: { readonly [H in TokenHeader]: Cites } = {
  authorization: [conventions.authorization, conventions.needsToken],
  'user-token': [conventions.userToken, conventions.unreadToken],
}

export const permissionCites: { readonly [P in Permission]: Cites } = {
  manage_sub_organization_members: ['SA.5'],
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

export const noToken = cause('no token or an unknown one', conventions.invalidToken)
export const noUserType = cause('no `user_type`', conventions.requiredUserType, 'SE.1')
