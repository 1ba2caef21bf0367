import type { TObject, TSchema } from '@sinclair/typebox'
import { conventions, permissionCites, tokenHeaderCites } from '../../../schemas/conventions.js'
import type { InterpretationId } from '../../../schemas/interpretations.js'
import { USER_TYPE_NAME } from '../../../schemas/user-type.js'
import { citesOf, interpretationsIn, isStatement, joinedCites, statementsIn } from '../../engine/contract/cites.js'
import {
  type Contract,
  filesOf,
  invalidStatusOf,
  isRead,
  isSuccess,
  type Permission,
  type Response,
  type TokenHeader,
} from '../../engine/contract/contract.js'
import { isFile } from '../../engine/contract/fields.js'
import { applyChanges, type CallValues, type Token } from './calls.js'
import { CLIENT_ERRORS, check, ERRORS, type OperationCheck, TestedOperation } from './tested-operation.js'

const { baseAddress, invalidToken, needsToken, order, prefix } = conventions

export function everyContract(contract: Contract): readonly OperationCheck[] {
  const { tokenHeaders, permission, responses } = contract
  return [
    ...tokenChecks(contract),
    ...tokenHeaders.map((header) => completeCall(contract, header)),
    ...[...invalidCalls(contract)].map((invalid) => invalidCall(contract, invalid)),
    ...(permission === undefined ? [] : [withoutPermission(contract, permission)]),
    ...(404 in responses ? unknownIds(contract) : []),
  ]
}

/** In another order of checks, a call that names an unknown record gets its 404 first. */
function notFoundFirst({ contract, isKnown }: TestedOperation): readonly number[] {
  return 404 in contract.responses && !isKnown ? [404] : []
}

/** Calls with missing or invalid tokens; safe without --allow-writes. */
function tokenChecks({ tokenHeaders, method, path, cites: [first] }: Contract): OperationCheck[] {
  const tokens: readonly (readonly [call: string, token: Token | null])[] = [
    ['A call without a token', null],
    ['A call with an empty token', { header: 'authorization', whose: 'empty' }],
    ...tokenHeaders.map(
      (header) => [`A call with a wrong token in '${header}'`, { header, whose: 'invalid' }] as const,
    ),
  ]
  return tokens.map(([call, token]) =>
    check([invalidToken, needsToken], async (on) => {
      const answer = await on.send({}, { token })
      const isUnauthorized = on.expect(answer, call, { status: 401, otherwise: { [order]: notFoundFirst(on) } })
      // A 401 shows that the operation exists.
      if (token === null && isUnauthorized) on.holds([first, baseAddress, prefix])
      const message = `${method} ${path} is answered with ${answer.status}: this operation does not seem to exist.`
      if (!isUnauthorized && [404, 405].includes(answer.status)) on.claim(false, 'status', message, { cites: [first] })
    }),
  )
}

function completeCall(contract: Contract, header: TokenHeader): OperationCheck {
  const { form, query, invalid, tokenHeaders, cites: own } = contract
  const [tokenCite] = tokenHeaderCites[header]
  const required = (query.required ?? []).map((name) => statementsIn(citesOf(query.properties[name] as TSchema)))
  const isUsual = header === tokenHeaders[0]
  const sending = joinedCites([tokenCite, own[0], baseAddress], form && [conventions.form], ...required)
  const call = isUsual ? 'A complete call' : `A call with the token in '${header}'`
  const run = async (on: TestedOperation) => {
    const answer = await on.send({}, { token: { header, whose: 'user' } })
    const isEmpty = Object.keys(answer.call.form ?? { none: '' }).length === 0
    const { emptyForm } = on.own
    const otherwise = isEmpty && emptyForm && invalid ? { [emptyForm]: [invalid] } : {}
    on.expect(answer, call, { otherwise, needsData: true })
  }
  return check(isUsual ? sending : [tokenCite], run, isRead(contract) ? undefined : 'writes')
}

interface InvalidCall {
  readonly part: 'params' | 'query' | 'form'
  readonly names: readonly string[]
  /** Without a value, the parameters are left out. */
  readonly value?: string
  readonly limit?: 'enum' | 'format'
}

function* invalidCalls(contract: Contract): Generator<InvalidCall> {
  if (contract.invalid === undefined) return
  for (const part of ['query', 'form', 'params'] as const) {
    const { properties = {}, required = [] } = contract[part] ?? {}
    for (const [name, property] of Object.entries<TSchema>(properties)) {
      const isRequired = required.includes(name)
      const invalid = { part, names: [name], value: 'countersign' }
      if (isRequired && part !== 'params') yield { part, names: [name] }
      if (isRequired && isFile(property)) yield invalid
      if (part === 'query') {
        if (isRequired && property.enum !== undefined) yield invalid
        continue
      }
      for (const limit of ['enum', 'format'] as const)
        if (property[limit] !== undefined && citesOf(property, limit)?.some(isStatement)) yield { ...invalid, limit }
    }
  }
  if (contract.atLeastOneOf !== undefined) yield { part: 'form', names: contract.atLeastOneOf }
}

function invalidCall(contract: Contract, { part, names, value, limit }: InvalidCall): OperationCheck {
  const { responses, invalid } = contract
  const [name = ''] = names
  const others = names.length > 1 ? `with neither of ${names.join(', ')}` : `without '${name}'`
  const call = `A call ${value === undefined ? others : `with '${value}' as '${name}'`}`
  const own = citesOf((contract[part] as TObject).properties[name] as TSchema, limit)
  const parameter = part === 'query' ? name : ''
  const isUserType = parameter === USER_TYPE_NAME
  const response = invalid && responses[invalid]
  return check(joinedCites(statementsIn(own), statementsIn(response?.cites)), async (on) => {
    const { values, masked } = safeCall(on, parameter)
    const answer = await on.sendCall(
      applyChanges(values, { [part]: Object.fromEntries(names.map((one) => [one, value])) }),
    )
    const isMasked = !on.session.allowWrites && !isRead(contract)
    if (isUserType && value === undefined && !isMasked && CLIENT_ERRORS.includes(answer.status))
      on.sees('missingUserType', answer, answer.status)
    const mayBeUnknown = isMasked || (part === 'form' && limit === 'format')
    const otherwise = {
      ...anyError(response),
      // The document names no status for the user type.
      [conventions.userType]: isUserType ? CLIENT_ERRORS : [],
      [order]: mayBeUnknown ? CLIENT_ERRORS.filter((status) => status in responses) : notFoundFirst(on),
    }
    on.expect(answer, call, { status: invalidStatusOf(contract, parameter), otherwise, masked })
  })
}

/** A call that does no harm even if it is carried out; `masked` says why its status proves nothing. */
export function safeCall({ contract, complete, session, own }: TestedOperation, parameter = '') {
  const usual: { readonly values: CallValues; readonly masked?: string | undefined } = { values: complete }
  if (session.allowWrites || isRead(contract)) return usual
  const [file] = filesOf(contract)
  if (file !== undefined) {
    const masked = parameter === '' ? undefined : `Without --allow-writes, the call has no '${file}' either.`
    return { values: applyChanges(complete, { form: { [file]: undefined } }), masked }
  }
  if (contract.permission === undefined) return usual
  const unknown = Object.entries(complete.params).map(([name, value]) => [name, session.data.unknownLike(value)])
  const masked = `Without --allow-writes, the call names a ${own.record ?? 'record'} that does not exist.`
  return { values: { ...complete, params: Object.fromEntries(unknown), form: {} }, masked }
}

function withoutPermission({ responses }: Contract, permission: Permission): OperationCheck {
  return check(joinedCites(permissionCites[permission], statementsIn(responses[403]?.cites)), async (on) => {
    const { complete, session } = on
    if (session.sender.target.tokenWithoutPermission === undefined)
      return on.unchecked('It needs the token of a user without the permission: --token-without-permission.')
    const token: Token = { header: 'authorization', whose: 'without permission' }
    const answer = await on.sendCall(session.allowWrites ? { ...complete, form: {} } : safeCall(on).values, { token })
    const others = session.contracts.filter((one) => isRead(one) && one.permission === undefined)
    const answers = await Promise.all(others.map((one) => new TestedOperation(one, session).send({}, { token })))
    if ([answer, ...answers].every(({ status }) => status === 401))
      return on.unchecked('The provider does not accept the token of --token-without-permission.')
    const otherwise = { [order]: session.allowWrites && on.isKnown ? [] : [404] }
    return on.expect(answer, 'A call by a user without the permission', { status: 403, otherwise })
  })
}

/** An error for which the document allows any status. */
function anyError(response: Response | undefined): Partial<Record<InterpretationId, readonly number[]>> {
  if (response === undefined || isSuccess(response) || response.anyStatus === undefined) return {}
  return Object.fromEntries(interpretationsIn(response.cites).map((one) => [one, ERRORS]))
}

function unknownIds({ params, responses }: Contract): OperationCheck[] {
  const names = Object.keys(params.properties)
  const found = responses[404]
  return names.map((name, at) => {
    const own = citesOf(params.properties[name] as TSchema)
    return check(joinedCites(statementsIn(own), statementsIn(found?.cites)), async (on) => {
      const unknown = names.slice(at).map((one) => [one, on.session.data.unknownLike(on.complete.params[one])])
      const answer = await on.send({ params: Object.fromEntries(unknown) })
      on.expect(answer, `A call with an unknown '${name}'`, { status: 404, otherwise: anyError(found) })
    })
  })
}
