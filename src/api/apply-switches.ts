import type { TObject, TSchema } from '@sinclair/typebox'
import type { SwitchName } from '../../schemas/interpretations.js'
import { USER_TYPE_NAME } from '../../schemas/user-type.js'
import { flatEnvelope, successBody, templateEnvelope } from '../engine/contract/bodies.js'
import { joinedCites } from '../engine/contract/cites.js'
import {
  assumed,
  type Contract,
  type Failure,
  isSuccess,
  needsUserType,
  type Response,
  type Success,
  successStatusOf,
} from '../engine/contract/contract.js'
import { absentWhenEmpty, allowEmpty, forbidEmpty } from '../engine/contract/emptiness.js'
import { deepFreeze } from '../engine/contract/freeze.js'
import type { EmptySwitch } from '../engine/contract/keywords.js'
import { type Template, templateSchema } from '../engine/contract/template.js'
import { defaultSwitches, errorShapeOf, errorsAreOpen, type Switches, statusIsOpen } from './switches.js'

/** Returns the contract itself if the switch does not concern it. */
type SwitchEffect = (contract: Contract, switches: Switches) => Contract

/** For a switch that adds the answers that the contract declares for its value. */
const bringsIn =
  (name: SwitchName): SwitchEffect =>
  (contract, switches) =>
    Object.entries(contract.switched ?? {})
      .filter(([, { when }]) => when[0] === name && when[1] === switches[name])
      .reduce((before, [status, { when: _, ...answer }]) => withAnswer(before, Number(status), answer), contract)

/** For a switch that decides about empty texts. */
const ofEmpty =
  (name: EmptySwitch, value: string, change: (schema: TSchema) => TSchema): SwitchEffect =>
  (contract, switches) => {
    if (switches[name] !== value) return contract
    const changed = (schema: TSchema) => (schema['x-switches']?.includes(name) ? change(schema) : schema)
    const { form } = contract
    return {
      ...contract,
      query: mapProperties(contract.query, changed),
      ...(form !== undefined && { form: mapProperties(form, changed) }),
    }
  }

/** Read by a handler. */
const inHandlers: SwitchEffect = (contract) => contract

const effectOf: { readonly [S in SwitchName]: SwitchEffect } = {
  successStatus: (contract, { successStatus }) => {
    const status =
      typeof successStatus === 'object' ? (successStatus as PerOperation<number>)[contract.id] : successStatus
    if (status === undefined || status === 200 || !statusIsOpen(contract)) return contract
    const { 200: success, ...others } = contract.responses
    return { ...contract, responses: { ...others, [status]: success as Response } }
  },
  missingUserType: (contract, { missingUserType: status }) => {
    const { query, invalid } = contract
    if (status === undefined || status === invalid || !needsUserType(contract)) return contract
    const schema = query.properties[USER_TYPE_NAME] as TSchema
    const changed = { ...schema, 'x-cites': joinedCites(schema['x-cites'], ['I-04']) }
    const described = 'Also if the user type is missing or different (I-04).'
    const alone = 'The user type is missing or different (I-04).'
    const answer = assumed.error(
      ['I-04'],
      status in contract.responses ? described : alone,
      "The query parameter 'user_type' is missing.",
    )
    const invalidStatuses = { [USER_TYPE_NAME]: status }
    return withAnswer(
      { ...contract, invalidStatuses, query: withProperties(query, { [USER_TYPE_NAME]: changed }) },
      status,
      answer,
    )
  },
  keywordMatch: inHandlers,
  emptyKeyword: ofEmpty('emptyKeyword', 'ignore', (schema) => allowEmpty(schema, ['I-05'])),
  attachmentStatus: inHandlers,
  unknownSort: (contract, { unknownSort }) =>
    unknownSort === 'invalid' ? contract : { ...contract, query: mapProperties(contract.query, withoutUnknown) },
  unknownOrganization: bringsIn('unknownOrganization'),
  pendingInvitation: bringsIn('pendingInvitation'),
  unknownInvitationOrganization: bringsIn('unknownInvitationOrganization'),
  verifyScope: inHandlers,
  emptyName: ofEmpty('emptyName', 'absent', (schema) => withEmptyValue(absentWhenEmpty(schema, ['I-10']))),
  signingLinkBody: (contract, switches) =>
    mapSuccess(contract, (success) => {
      const { bodySwitch, schema, example } = success
      if (bodySwitch === undefined || isDefault(bodySwitch, switches)) return success
      const template = switches[bodySwitch] as Template
      const made = { ...templateSchema(template, schema.properties, ['I-11']), 'x-cites': schema['x-cites'] }
      return { ...success, template, schema: made as TSchema, example: successBody({ template }, example) }
    }),
  emptyFields: ofEmpty('emptyFields', 'invalid', (schema) => forbidEmpty(schema, ['I-20'])),
  permissionReach: inHandlers,
  successWords: (contract, { successWords }) =>
    mapSuccess(contract, (success) => {
      const words = (successWords as PerOperation<NonNullable<Success['words']>>)[contract.id]
      if (words === undefined) return success
      const schema = mapProperties(success.schema as TObject, (property, name) =>
        Object.hasOwn(words, name) ? { ...property, examples: [words[name as 'status']] } : property,
      )
      return { ...success, words, schema, example: successBody({ words }, success.example) }
    }),
  timestamps: (contract, { timestamps }) =>
    timestamps === 'milliseconds'
      ? contract
      : mapSuccess(contract, (success) => ({ ...success, example: withoutFractions(success.example) })),
  // Last: answers that other switches add have an envelope, too.
  errorBody: (contract, { errorBody }) => {
    const shape = errorShapeOf(errorBody, contract.id)
    if (shape === 'nested' || !errorsAreOpen(contract)) return contract
    const envelope = shape === 'flat' ? flatEnvelope : templateEnvelope(shape)
    const enveloped = Object.entries(contract.responses).map(([status, response]) => [
      status,
      isSuccess(response) ? response : { ...response, envelope },
    ])
    return { ...contract, responses: Object.fromEntries(enveloped) }
  },
}

const effects: readonly SwitchEffect[] = Object.values(effectOf)

export function applySwitches(contracts: readonly Contract[], switches: Switches): readonly Contract[] {
  return contracts.map((contract) => deepFreeze(effects.reduce((before, effect) => effect(before, switches), contract)))
}

type PerOperation<V> = Readonly<Record<string, V | undefined>>

function isDefault(name: SwitchName, switches: Switches): boolean {
  return JSON.stringify(switches[name]) === JSON.stringify(defaultSwitches[name])
}

/** Adds an answer, or causes to an answer that is declared already. */
function withAnswer(contract: Contract, status: number, answer: Failure): Contract {
  const known = contract.responses[status]
  const response =
    known === undefined
      ? answer
      : {
          ...known,
          cites: joinedCites(known.cites, answer.cites),
          description: `${known.description} ${answer.description}`,
        }
  return { ...contract, responses: { ...contract.responses, [status]: response } }
}

function mapSuccess(contract: Contract, change: (success: Success) => Success): Contract {
  const status = successStatusOf(contract)
  const success = contract.responses[status] as Success
  const changed = change(success)
  return changed === success ? contract : { ...contract, responses: { ...contract.responses, [status]: changed } }
}

/** Returns the same schema if nothing changes, so that it is not compiled again. */
function mapProperties(schema: TObject, change: (property: TSchema, name: string) => TSchema): TObject {
  const changed = Object.entries(schema.properties).flatMap(([name, property]) => {
    const made = change(property, name)
    return made === property ? [] : [[name, made] as const]
  })
  return changed.length === 0 ? schema : withProperties(schema, Object.fromEntries(changed))
}

function withProperties(schema: TObject, properties: Readonly<Record<string, TSchema>>): TObject {
  return { ...schema, properties: { ...schema.properties, ...properties } }
}

/** Opens an enum if its schema says that a switch does. */
function withoutUnknown(schema: TSchema): TSchema {
  if (!schema['x-switches']?.includes('unknownSort')) return schema
  const { enum: _, ...rest } = schema
  const { enum: __, ...limits } = schema['x-limits'] ?? {}
  return {
    ...rest,
    description: `${schema.description} An unknown one is treated as not sent (I-06).`,
    'x-cites': joinedCites(schema['x-cites'], ['I-06']),
    'x-limits': limits,
  } as unknown as TSchema
}

/** Adds the empty value: a form's select has an option without one. */
function withEmptyValue(schema: TSchema): TSchema {
  if (schema.enum === undefined) return schema
  return { ...schema, enum: [...schema.enum, ''], 'x-allowed': `one of ${schema.enum.join(', ')}` }
}

function withoutFractions(example: unknown): unknown {
  return JSON.parse(JSON.stringify(example).replaceAll(/(T\d\d:\d\d:\d\d)\.\d+Z"/g, '$1Z"'))
}
