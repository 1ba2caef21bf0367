import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { contracts, type OperationId } from '../../schemas/contracts.js'
import type { SwitchName } from '../../schemas/interpretations.js'
import { citesOf } from '../engine/contract/cites.js'
import { type Contract, isSuccess, successStatusOf } from '../engine/contract/contract.js'
import { closedObject, oneOf } from '../engine/contract/fields.js'
import { deepFreeze } from '../engine/contract/freeze.js'
import type { Template } from '../engine/contract/template.js'

const all: readonly Contract[] = contracts

type ByOperation<V> = { readonly [Id in OperationId]?: V }

function byOperation(
  fits: (contract: Contract) => boolean,
  schema: (contract: Contract) => TSchema,
  whyNot: string,
): TSchema {
  const properties = all.filter(fits).map((contract) => [contract.id, Type.Optional(schema(contract))])
  const others = all.filter((contract) => !fits(contract)).map(({ id }) => [id, whyNot])
  return closedObject(Object.fromEntries(properties), { 'x-fixed': Object.fromEntries(others) })
}

const oneOfNumbers = <const V extends readonly (number | string)[]>(values: V, options: object = {}) =>
  Type.Unsafe<V[number]>({ enum: values, ...options })

export const ERRORS_SHOWN = 'the API document shows its error body'

const successOf = (contract: Contract) => contract.responses[successStatusOf(contract)]

export const statusIsOpen = (contract: Contract) => successOf(contract)?.cites.includes('I-01') === true

export const errorsAreOpen = ({ responses }: Contract) =>
  Object.values(responses).every((response) => isSuccess(response) || response.provenance !== 'shown')

/** The fields of the success body that a switch may change. */
export function wordsOf(contract: Contract): string[] {
  const success = successOf(contract)
  const properties = isSuccess(success) ? Object.entries<TSchema>(success.schema.properties) : []
  return properties.filter(([, schema]) => schema.type === 'string' && isWord(schema)).map(([name]) => name)
}

function fixedStatus(contract: Contract): string {
  const success = successOf(contract)
  const shown = isSuccess(success) && 'status' in success.schema.properties
  return shown ? 'the API document shows its value' : 'the success body has none'
}

const isWord = (schema: TSchema) => schema.format === undefined && citesOf(schema)?.includes('I-22') === true

const successStatus = oneOfNumbers([200, 201])

/** For a missing or different user type. */
export const MISSING_USER_TYPE = [400, 401, 422] as const
const errorShape = [oneOf(['nested', 'flat']), Type.Object({}, { minProperties: 1 })]

const TEMPLATE = 'an object in which {status} and {message} are filled in'

/** The words for a switch without a default. */
const UNSET = "the operation's invalid status"

/** The schema of every switch; the names are the keys under `interpretations` in the config file. */
const switchSchemas = {
  successStatus: Type.Unsafe<200 | 201 | ByOperation<200 | 201>>({
    anyOf: [successStatus, byOperation(statusIsOpen, () => successStatus, 'the API document names its status')],
    default: 200,
    description: 'The status of a success, for all operations or for each.',
    'x-allowed': '200 or 201, or {operation: 200 or 201}',
  }),
  errorBody: Type.Unsafe<ErrorShape | ByOperation<ErrorShape>>({
    anyOf: [
      errorShape[0],
      {
        ...byOperation(
          errorsAreOpen,
          () => Type.Unsafe({ anyOf: errorShape, 'x-allowed': `nested, flat, or ${TEMPLATE}` }),
          ERRORS_SHOWN,
        ),
        additionalProperties: true,
        minProperties: 1,
      },
    ],
    default: 'nested',
    description: 'The body of errors where the API document shows none, for all operations or for each.',
    'x-allowed': `nested, flat, ${TEMPLATE}, or {operation: any of these}`,
  }),
  missingUserType: Type.Optional(
    oneOfNumbers(MISSING_USER_TYPE, {
      description: "The status for a missing or different user_type. Default: the operation's invalid status.",
    }),
  ),
  keywordMatch: oneOf(['all', 'any'], {
    default: 'all',
    description: 'Whether a document must match all keywords or any of them.',
  }),
  emptyKeyword: oneOf(['invalid', 'ignore'], {
    default: 'invalid',
    description: 'Whether an empty keyword is invalid or ignored.',
  }),
  attachmentStatus: oneOf(['protected', 'any'], {
    default: 'protected',
    description: 'Which attachments a search finds: those whose status is protected, or all.',
  }),
  unknownSort: oneOf(['invalid', 'ignore'], {
    default: 'invalid',
    description: 'Whether an unknown sort field is invalid or ignored.',
  }),
  unknownOrganization: oneOfNumbers(['empty', 400, 404], {
    default: 'empty',
    description: 'The credit histories of an unknown organization: an empty list, or an error status.',
  }),
  pendingInvitation: oneOf(['resend', 'conflict'], {
    default: 'resend',
    description: 'The result of inviting someone whose invitation is pending: a second mail, or 409.',
  }),
  unknownInvitationOrganization: oneOfNumbers([400, 404], {
    default: 400,
    description: 'The status for an invitation into an unknown organization.',
  }),
  verifyScope: oneOf(['owner', 'anyone'], {
    default: 'owner',
    description: "Whose user_uuid can verify a document: only its owner's, or anyone's.",
  }),
  emptyName: oneOf(['invalid', 'absent'], {
    default: 'invalid',
    description: 'Whether an empty name or role in an update is invalid, or treated as not sent.',
  }),
  signingLinkBody: Type.Unsafe<{ readonly [key: string]: Template }>({
    type: 'object',
    minProperties: 1,
    default: {
      link: '{link}',
      project_uuid: '{project_uuid}',
      email: '{email}',
      created_at: '{created_at}',
    },
    description: 'The success body of a signing link, as a template; other values in it are constants.',
    'x-allowed': 'an object in which {link}, {project_uuid}, {email} and {created_at} are filled in',
  }),
  emptyFields: oneOf(['absent', 'invalid'], {
    default: 'absent',
    description: 'Whether an empty optional text field is treated as not sent, or invalid.',
  }),
  permissionReach: oneOf(['own', 'everywhere'], {
    default: 'own',
    description: "Whose data a caller can access: that of the caller's own organization, or of all.",
  }),
  successWords: Type.Unsafe<ByOperation<{ readonly status?: string; readonly message?: string }>>({
    ...byOperation(
      (contract) => wordsOf(contract).length > 0,
      (contract) =>
        closedObject(Object.fromEntries(wordsOf(contract).map((name) => [name, Type.Optional(Type.String())])), {
          'x-fixed': { status: fixedStatus(contract) },
        }),
      'its success body has neither status nor message',
    ),
    default: {},
    description: 'The values of status and message in success bodies, by operation.',
    'x-allowed': '{operation: {status, message}}',
  }),
  timestamps: oneOf(['milliseconds', 'seconds'], {
    default: 'milliseconds',
    description: 'The precision of timestamps in answers.',
  }),
} as const satisfies { readonly [S in SwitchName]: TSchema }

type ErrorShape = 'nested' | 'flat' | { readonly [key: string]: Template }

const operationIds: ReadonlySet<string> = new Set(all.map(({ id }) => id))

export const switchedOperations: readonly string[] = all.filter(errorsAreOpen).map(({ id }) => id)

export function isByOperation(errorBody: object): boolean {
  return Object.keys(errorBody).some((key) => operationIds.has(key))
}

export function errorShapeOf(errorBody: Switches['errorBody'], operation: string): ErrorShape {
  if (typeof errorBody !== 'object' || !isByOperation(errorBody)) return errorBody as ErrorShape
  return (errorBody as Readonly<Record<string, ErrorShape>>)[operation] ?? 'nested'
}

export const Switches = closedObject(switchSchemas)
export type Switches = Static<typeof Switches>

const switchNames = Object.keys(switchSchemas) as SwitchName[]

export const schemaOfSwitch = (name: SwitchName): TSchema => switchSchemas[name]

export const defaultSwitches: Switches = deepFreeze(
  Object.fromEntries(
    switchNames.flatMap((name) => {
      const { default: byDefault } = schemaOfSwitch(name)
      return byDefault === undefined ? [] : [[name, byDefault]]
    }),
  ) as unknown as Switches,
)

/** As `name: value`. */
export function switchedOtherwise(switches: Switches): string[] {
  return switchNames
    .map((name) => ({ name, text: valueText(name, switches) }))
    .filter(({ name, text }) => text !== valueText(name, defaultSwitches))
    .map(({ name, text }) => `${name}: ${text}`)
}

function valueText(name: SwitchName, switches: Switches): string {
  return switchText(switches[name])
}

export function switchText(value: unknown): string {
  const given = value ?? UNSET
  return typeof given === 'string' ? given : JSON.stringify(given)
}
