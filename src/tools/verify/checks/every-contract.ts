import type { TObject, TSchema } from '@sinclair/typebox'
import { type Cites, citesOf, isStatement, joinedCites } from '../../../../schemas/cites.js'
import { isFile } from '../../../../schemas/common.js'
import { type Contract, filesOf, isRead, refusalStatusOf, type TokenHeader } from '../../../../schemas/contract.js'
import { applyChanges, type CallValues, type Token } from '../calls.js'
import { CLIENT_ERRORS, check, ERRORS, type OperationCheck, TestedOperation } from '../session.js'

export function everyContract(contract: Contract): readonly OperationCheck[] {
  const { tokenHeaders, permission, responses } = contract
  return [
    ...tokenChecks(contract),
    ...tokenHeaders.map((header) => completeCall(contract, header)),
    ...[...invalidCalls(contract)].map((invalid) => refusal(contract, invalid)),
    ...(permission === undefined ? [] : [withoutPermission]),
    ...(404 in responses ? unknownIds(contract) : []),
  ]
}

const statementsIn = (cites: Cites | undefined) => cites?.filter(isStatement)

/** The order of checks is I-03: a call that names an unknown record may get its 404 first. */
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
    check(['SA.4', 'SA.1'], async (on) => {
      const answer = await on.send({}, { token })
      const isRefused = on.expect(answer, call, { status: 401, otherwise: { 'I-03': notFoundFirst(on) } })
      // A call that is refused for its token shows that the operation exists.
      if (token === null && isRefused) on.holds([first, 'S0.1', 'S0.4'])
      const message = `${method} ${path} is answered with ${answer.status}: this operation does not seem to exist.`
      if (!isRefused && [404, 405].includes(answer.status)) on.claim(false, 'status', message, { cites: [first] })
    }),
  )
}

function completeCall(contract: Contract, header: TokenHeader): OperationCheck {
  const { form, query, invalid, tokenHeaders, cites: own } = contract
  const required = (query.required ?? []).map((name) => statementsIn(citesOf(query.properties[name] as TSchema)))
  const isUsual = header === tokenHeaders[0]
  const sending = joinedCites(['SA.2', own[0], 'S0.1'], form && ['S0.2'], ...required)
  const call = isUsual ? 'A complete call' : `A call with the token in '${header}'`
  const run = async (on: TestedOperation) => {
    const answer = await on.send({}, { token: { header, whose: 'user' } })
    const isEmpty = Object.keys(answer.call.form ?? { none: '' }).length === 0
    on.expect(answer, call, { otherwise: { 'I-10': isEmpty ? [invalid] : [] }, needsData: true })
  }
  return check(isUsual ? sending : ['SA.3'], run, isRead(contract) ? undefined : 'writes')
}

interface InvalidCall {
  readonly part: 'params' | 'query' | 'form'
  readonly names: readonly string[]
  /** Without a value, the parameters are left out. */
  readonly value?: string
  readonly limit?: 'enum' | 'format'
}

function* invalidCalls(contract: Contract): Generator<InvalidCall> {
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

function refusal(contract: Contract, { part, names, value, limit }: InvalidCall): OperationCheck {
  const { responses, invalid } = contract
  const [name = ''] = names
  const others = names.length > 1 ? `with neither of ${names.join(', ')}` : `without '${name}'`
  const call = `A call ${value === undefined ? others : `with '${value}' as '${name}'`}`
  const own = citesOf((contract[part] as TObject).properties[name] as TSchema, limit)
  const parameter = part === 'query' ? name : ''
  const isOpen = Object.values(responses).some((one) => one.cites.includes('S7.6'))
  return check(joinedCites(statementsIn(own), statementsIn(responses[invalid]?.cites)), async (on) => {
    const { values, masked } = safeCall(on, parameter)
    const answer = await on.sendCall(
      applyChanges(values, { [part]: Object.fromEntries(names.map((one) => [one, value])) }),
    )
    const isMasked = !on.session.allowWrites && !isRead(contract)
    if (call === "A call without 'user_type'" && !isMasked && CLIENT_ERRORS.includes(answer.status))
      on.sees('missingUserType', answer, answer.status)
    const mayBeUnknown = isMasked || (part === 'form' && limit === 'format')
    const otherwise = {
      'I-11': isOpen ? ERRORS : [],
      // The document names no status for the user type.
      'I-04': parameter === 'user_type' ? CLIENT_ERRORS : [],
      'I-03': mayBeUnknown ? CLIENT_ERRORS.filter((status) => status in responses) : notFoundFirst(on),
    }
    on.expect(answer, call, { status: refusalStatusOf(contract, parameter), otherwise, masked })
  })
}

/** A call that does no harm even if it is carried out; `masked` says why its refusal proves nothing. */
export function safeCall({ contract, complete, session }: TestedOperation, parameter = '') {
  const usual: { readonly values: CallValues; readonly masked?: string | undefined } = { values: complete }
  if (session.allowWrites || isRead(contract)) return usual
  const [file] = filesOf(contract)
  if (file !== undefined) {
    const masked = parameter === '' ? undefined : `Without --allow-writes, the call has no '${file}' either.`
    return { values: applyChanges(complete, { form: { [file]: undefined } }), masked }
  }
  if (contract.permission === undefined) return usual
  const unknown = Object.entries(complete.params).map(([name, value]) => [name, session.data.unknownLike(value)])
  const masked = 'Without --allow-writes, the call names a member that does not exist.'
  return { values: { ...complete, params: Object.fromEntries(unknown), form: {} }, masked }
}

const withoutPermission = check(['SA.5', 'SE.2'], async (on) => {
  const { complete, session } = on
  if (session.sender.target.tokenWithoutPermission === undefined)
    return on.unchecked('It needs the token of a user without the permission: --token-without-permission.')
  const token: Token = { header: 'authorization', whose: 'without permission' }
  const answer = await on.sendCall(session.allowWrites ? { ...complete, form: {} } : safeCall(on).values, { token })
  const others = session.contracts.filter((one) => isRead(one) && one.permission === undefined)
  const answers = await Promise.all(others.map((one) => new TestedOperation(one, session).send({}, { token })))
  if ([answer, ...answers].every(({ status }) => status === 401))
    return on.unchecked('The provider does not accept the token of --token-without-permission.')
  const otherwise = { 'I-03': session.allowWrites && on.isKnown ? [] : [404] }
  return on.expect(answer, 'A call by a user without the permission', { status: 403, otherwise })
})

function unknownIds({ params, responses }: Contract): OperationCheck[] {
  const names = Object.keys(params.properties)
  const found = responses[404]
  return names.map((name, at) => {
    const own = citesOf(params.properties[name] as TSchema)
    return check(joinedCites(statementsIn(own), statementsIn(found?.cites)), async (on) => {
      const unknown = names.slice(at).map((one) => [one, on.session.data.unknownLike(on.complete.params[one])])
      const answer = await on.send({ params: Object.fromEntries(unknown) })
      const otherwise = { 'I-11': found?.provenance === 'assumed' ? ERRORS : [] }
      on.expect(answer, `A call with an unknown '${name}'`, { status: 404, otherwise })
    })
  })
}
