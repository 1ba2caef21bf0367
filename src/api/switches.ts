import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { contracts } from '../../schemas/contracts.js'
import { conventions, MISSING_USER_TYPE_STATUSES } from '../../schemas/conventions.js'
import { cited, joinCites } from '../engine/contract/cites.js'
import type { DataComplaint } from '../engine/contract/complaint.js'
import {
  assumed,
  type Contract,
  type Failure,
  isSuccess,
  isSuccessStatusAssumed,
  type Success,
  successStatusOf,
} from '../engine/contract/contract.js'
import type { Envelope } from '../engine/contract/conventions.js'
import { errorPlaceholders, showsNoErrorBody, successBody, templateEnvelope } from '../engine/contract/envelopes.js'
import { closedObject, oneOf } from '../engine/contract/fields.js'
import { isObject } from '../engine/contract/json.js'
import type { Switch, SwitchValues } from '../engine/contract/switches.js'
import { checkTemplate, type Template, templateSchema } from '../engine/contract/template.js'
import { didYouMean, quote } from '../engine/contract/wording.js'

const all: readonly Contract[] = contracts

type ByOperation<V> = { readonly [operation: string]: V | undefined }

function byOperation(isSettable: (contract: Contract) => boolean, schema: TSchema, whyNotSettable: string): TSchema {
  const properties = all.filter(isSettable).map(({ id }) => [id, Type.Optional(schema)])
  const others = all.filter((contract) => !isSettable(contract)).map(({ id }) => [id, whyNotSettable])
  return closedObject(Object.fromEntries(properties), { 'x-not-settable': Object.fromEntries(others) })
}

const oneOfValues = <const V extends readonly (number | string)[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ enum: values, ...options })

const SUCCESS_STATUS = oneOfValues([200, 201])

const successStatus = {
  schema: Type.Unsafe<200 | 201 | ByOperation<200 | 201>>({
    anyOf: [SUCCESS_STATUS, byOperation(isSuccessStatusAssumed, SUCCESS_STATUS, 'the API document names its status')],
    default: 200,
    description: 'The status of a success, for all operations or for each.',
    'x-allowed': '200 or 201, or {operation: 200 or 201}',
  }),
  apply: (contract, { successStatus: value }) => {
    const status = isObject(value) ? value[contract.id] : value
    if (status !== 201 || !isSuccessStatusAssumed(contract)) return contract
    const { 200: success, ...others } = contract.responses
    return success === undefined ? contract : { ...contract, responses: { ...others, 201: success } }
  },
  statuses: (contract) => (isSuccessStatusAssumed(contract) ? [201] : []),
} satisfies Switch

const USER_TYPE_NAME = 'user_type'

const missingUserType = {
  schema: Type.Optional(
    oneOfValues(MISSING_USER_TYPE_STATUSES, {
      description:
        "The status if user_type is missing or has another value than the documented one. Default: the operation's invalid status.",
    }),
  ),
  apply: (contract, { missingUserType: value }) => {
    const { query, invalidStatus } = contract
    const status = MISSING_USER_TYPE_STATUSES.find((one) => one === value)
    const schema: TSchema | undefined = query.properties[USER_TYPE_NAME]
    if (status === undefined || status === invalidStatus || !needsUserType(contract) || schema === undefined)
      return contract
    const changedSchema = { ...schema, 'x-cites': joinCites(schema['x-cites'], ['I-04']) }
    const beginning = status in contract.responses ? 'Also sent if the' : 'The'
    const description = `${beginning} user type is missing or not the documented one (I-04).`
    const answer = assumed.error(['I-04'], description, "The query parameter 'user_type' is missing.")
    const changedQuery = { ...query, properties: { ...query.properties, [USER_TYPE_NAME]: changedSchema } }
    const invalidStatusByParameter = { [USER_TYPE_NAME]: status }
    return addAnswer({ ...contract, invalidStatusByParameter, query: changedQuery }, status, answer)
  },
  statuses: (contract) => (needsUserType(contract) ? MISSING_USER_TYPE_STATUSES : []),
} satisfies Switch

function needsUserType({ query }: Contract): boolean {
  return query.required?.includes(USER_TYPE_NAME) === true
}

/** Adds the responses that this switch enables with its value. */
const createAnswerSwitch = <S extends TSchema>(name: string, schema: S) =>
  ({
    schema,
    apply: (contract, values) =>
      Object.entries(contract.switchedResponses ?? {})
        .filter(([, { enabledBy }]) => enabledBy[0] === name && enabledBy[1] === values[name])
        .reduce((before, [status, { enabledBy: _, ...answer }]) => addAnswer(before, Number(status), answer), contract),
    statuses: (contract) =>
      Object.entries(contract.switchedResponses ?? {})
        .filter(([, { enabledBy }]) => enabledBy[0] === name)
        .map(([status]) => Number(status)),
  }) satisfies Switch

const unknownOrganization = createAnswerSwitch(
  'unknownOrganization',
  oneOfValues(['empty', 400, 404], {
    default: 'empty',
    description: 'The credit histories of an unknown organization: an empty list, or an error status.',
  }),
)

const pendingInvitation = createAnswerSwitch(
  'pendingInvitation',
  oneOf(['resend', 'conflict'], {
    default: 'resend',
    description: 'The result of inviting someone whose invitation is pending: a second mail, or 409.',
  }),
)

const signingLinkBody = {
  schema: Type.Unsafe<{ readonly [key: string]: Template }>({
    type: 'object',
    minProperties: 1,
    default: { link: '{link}', project_uuid: '{project_uuid}', email: '{email}', created_at: '{created_at}' },
    description:
      'Template of the success body of a signing link: {link} and the other placeholders are replaced, all else is sent unchanged.',
    'x-allowed': 'an object with texts in which countersign replaces {link}, {project_uuid}, {email} and {created_at}',
  }),
  apply: (contract, values) => {
    const status = successStatusOf(contract)
    const success = contract.responses[status]
    if (!isSuccess(success) || success.bodySwitch !== 'signingLinkBody') return contract
    const template = values.signingLinkBody as Template
    if (JSON.stringify(template) === JSON.stringify(signingLinkBody.schema.default)) return contract
    const { properties, 'x-cites': cites } = success.schema
    const schema = { ...templateSchema(template, properties, ['I-11']), 'x-cites': cites } as TSchema
    const changed: Success = { ...success, template, schema, example: successBody({ template }, success.example) }
    return { ...contract, responses: { ...contract.responses, [status]: changed } }
  },
  check: (value) => {
    const success = all.map(({ responses }) => responses[200]).find((one) => isSuccess(one) && one.bodySwitch)
    if (!isObject(value) || !isSuccess(success)) return []
    const placeholders = Object.keys(success.schema.properties)
    const links = placeholders.filter((name) => success.schema.properties[name].format === 'uri')
    return checkTemplate(value, ['signingLinkBody'], placeholders, links)
  },
} satisfies Switch

/** The other common shape of an error: the success bodies' `status` and `message`. */
export const FlatErrorBody = Type.Object(
  {
    status: cited(['I-02'], Type.String({ examples: ['error'] })),
    message: cited(['I-02'], Type.String()),
  },
  { $id: 'FlatError', description: 'An error, in the shape of the success bodies (I-02).' },
)

const flatEnvelope: Envelope = { schema: FlatErrorBody, body: (_, message) => ({ status: 'error', message }) }

type ErrorShape = 'nested' | 'flat' | { readonly [key: string]: Template }

const ERROR_SHAPE = [oneOf(['nested', 'flat']), Type.Object({}, { minProperties: 1 })]
const ERROR_TEMPLATE = 'an object with texts in which countersign replaces {status} and {message}'
const ERRORS_SHOWN = 'the API document shows its error body'
const ERROR_PLACEHOLDERS = Object.keys(errorPlaceholders(conventions.assumedErrorBody))

const operationIds: ReadonlySet<string> = new Set(all.map(({ id }) => id))
const operationsWithoutErrorBody = all.filter(showsNoErrorBody).map(({ id }) => id)

function isByOperation(value: object): value is ByOperation<unknown> {
  return Object.keys(value).some((key) => operationIds.has(key))
}

const errorBody = {
  schema: Type.Unsafe<ErrorShape | ByOperation<ErrorShape>>({
    anyOf: [
      ERROR_SHAPE[0],
      {
        ...byOperation(
          showsNoErrorBody,
          Type.Unsafe({ anyOf: ERROR_SHAPE, 'x-allowed': `nested, flat, or ${ERROR_TEMPLATE}` }),
          ERRORS_SHOWN,
        ),
        additionalProperties: true,
        minProperties: 1,
      },
    ],
    default: 'nested',
    description:
      'The shape of error bodies that the API document does not show: one for all operations, or one per operation.',
    'x-allowed': `nested, flat, ${ERROR_TEMPLATE}, or {operation: any of these}`,
  }),
  apply: (contract, { errorBody: value }) => {
    const shape = isObject(value) && isByOperation(value) ? (value[contract.id] ?? 'nested') : value
    if (shape === 'nested' || !showsNoErrorBody(contract)) return contract
    const envelope = shape === 'flat' ? flatEnvelope : templateEnvelope(shape as Template, conventions.assumedErrorBody)
    const responses = Object.entries(contract.responses).map(([status, response]) => {
      return [status, isSuccess(response) ? response : { ...response, envelope }]
    })
    return { ...contract, responses: Object.fromEntries(responses) }
  },
  check: (value) => (isObject(value) ? checkErrorBody(value) : []),
} satisfies Switch

function checkErrorBody(errorBody: object): readonly DataComplaint[] {
  const isMisspelledOperation = didYouMean(Object.keys(errorBody)[0] ?? '', operationsWithoutErrorBody) !== ''
  if (!isByOperation(errorBody) && !isMisspelledOperation)
    return checkTemplate(errorBody, ['errorBody'], ERROR_PLACEHOLDERS)
  return Object.entries(errorBody).flatMap(([operation, shape]) => {
    const path = ['errorBody', operation]
    if (!operationsWithoutErrorBody.includes(operation)) return [complainAboutOperation(path, operation)]
    return isObject(shape) ? checkTemplate(shape, path, ERROR_PLACEHOLDERS) : []
  })
}

function complainAboutOperation(path: readonly string[], operation: string): DataComplaint {
  const allowed = operationsWithoutErrorBody.join(', ')
  const message = operationIds.has(operation)
    ? `The error body of ${quote(operation)} is fixed: the API document shows it. Allowed: ${allowed}.`
    : `There is no operation ${quote(operation)}.${didYouMean(operation, operationsWithoutErrorBody)} Allowed: ${allowed}.`
  return { path, message, about: 'key' }
}

/** In the order in which they apply: `errorBody` also changes answers that other switches add. */
export const switches = {
  successStatus,
  missingUserType,
  unknownOrganization,
  pendingInvitation,
  signingLinkBody,
  errorBody,
} as const satisfies Readonly<Record<string, Switch>>

export type SwitchName = keyof typeof switches

export type SwitchSettings = SwitchValues & { readonly [S in SwitchName]: Static<(typeof switches)[S]['schema']> }

/** Extends the answer with this status if the contract declares it already. */
function addAnswer(contract: Contract, status: number, answer: Failure): Contract {
  const declared = contract.responses[status]
  const response = declared && {
    ...declared,
    cites: joinCites(declared.cites, answer.cites),
    description: `${declared.description} ${answer.description}`,
  }
  return { ...contract, responses: { ...contract.responses, [status]: response ?? answer } }
}
