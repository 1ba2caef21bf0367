import type { TObject, TSchema } from '@sinclair/typebox'
import { type Cite, citesOf, interpretationsIn, joinCites, statementsIn } from '../../engine/contract/cites.js'
import {
  alternativeFieldsOf,
  type Contract,
  fileFieldsOf,
  invalidStatusOf,
  isReadOnly,
  isSuccess,
  type Response,
  statusesOf,
} from '../../engine/contract/contract.js'
import type { TokenHeader } from '../../engine/contract/conventions.js'
import { isFile } from '../../engine/contract/fields.js'
import { applyChanges, type Token, tokenFor } from './calls.js'
import type { OperationCheck, OtherStatuses, TestedOperation } from './tested-operation.js'

export function genericChecks(contract: Contract): readonly OperationCheck[] {
  const { tokenHeaders, permission, responses, params } = contract
  return [
    tokenCheck(contract, 'A call without a token', null),
    tokenCheck(contract, 'A call with an empty token', tokenFor(contract, 'empty')),
    ...tokenHeaders.map(({ name }) =>
      tokenCheck(contract, `A call with a wrong token in '${name}'`, { header: name, kind: 'invalid' }),
    ),
    ...tokenHeaders.map((header) => completeCallCheck(contract, header)),
    ...[...invalidCalls(contract)].map((invalid) => invalidCallCheck(contract, invalid)),
    ...(permission === undefined ? [] : [permissionCheck(contract, permission)]),
    ...(404 in responses ? Object.keys(params.properties).map((name) => unknownIdCheck(contract, name)) : []),
  ]
}

/** A provider may look up the record before it checks the rest of the call. */
function notFoundFirst({ contract, hasKnownData }: TestedOperation): readonly number[] {
  return 404 in contract.responses && !hasKnownData ? [404] : []
}

/** Sends no valid token, so nothing changes. */
function tokenCheck(contract: Contract, call: string, token: Token | null): OperationCheck {
  const { conventions, method, path, cites } = contract
  return {
    cites: [conventions.invalidToken, conventions.needsToken],
    async run(operation) {
      const answer = await operation.send({}, { token })
      const alsoAllowed = operation.allowedByCheckOrder(notFoundFirst(operation))
      const isUnauthorized = operation.expect(answer, call, { status: 401, alsoAllowed })
      // A 401 shows that the operation exists.
      const { provenByPaths } = operation.session.facts
      if (token === null && isUnauthorized) operation.reportOk([cites[0], conventions.baseUrl, ...provenByPaths])
      const message = `${method} ${path} is answered with ${answer.status}: this operation does not seem to exist.`
      const answers = operation.session.sender.answersOf(contract)
      if (!isUnauthorized && answers.every(({ status }) => [404, 405].includes(status)))
        operation.report('drift', [cites[0]], { where: 'status', message })
    },
  }
}

function completeCallCheck(contract: Contract, { name: header, cites: [tokenCite] }: TokenHeader): OperationCheck {
  const { conventions, form, query, invalidStatus, tokenHeaders, cites } = contract
  const required = (query.required ?? []).map((name) => statementsIn(citesOf(query.properties[name] as TSchema)))
  const isFirstHeader = header === tokenHeaders[0]?.name
  const formCites = form && [conventions.form]
  const callCites = joinCites([tokenCite, cites[0], conventions.baseUrl], formCites, ...required)
  const call = isFirstHeader ? 'A complete call' : `A call with the token in '${header}'`
  return {
    cites: isFirstHeader ? callCites : [tokenCite],
    needs: isReadOnly(contract) ? undefined : 'writes',
    async run(operation) {
      const answer = await operation.send({}, { token: { header, kind: 'user' } })
      const isEmpty = answer.call.form !== null && Object.keys(answer.call.form).length === 0
      const { emptyFormCite } = operation.facts
      const alsoAllowed = isEmpty && emptyFormCite && invalidStatus ? { [emptyFormCite]: [invalidStatus] } : {}
      operation.expect(answer, call, { alsoAllowed })
    },
  }
}

interface InvalidCall {
  readonly part: 'params' | 'query' | 'form'
  readonly names: readonly string[]
  readonly value?: string
  readonly limit?: 'enum' | 'format'
}

function* invalidCalls(contract: Contract): Generator<InvalidCall> {
  if (contract.invalidStatus === undefined) return
  for (const part of ['query', 'form', 'params'] as const) {
    const { properties = {}, required = [] } = contract[part] ?? {}
    for (const [name, property] of Object.entries<TSchema>(properties)) {
      const isRequired = required.includes(name)
      const invalid = { part, names: [name], value: 'countersign' }
      if (isRequired && part !== 'params') yield { part, names: [name] }
      if (isRequired && (isFile(property) || (part === 'query' && property.enum !== undefined))) yield invalid
      if (part === 'query') continue
      for (const limit of ['enum', 'format'] as const)
        if (property[limit] !== undefined && statementsIn(citesOf(property, limit)).length > 0)
          yield { ...invalid, limit }
    }
  }
  const alternatives = alternativeFieldsOf(contract)
  if (alternatives.length > 0) yield { part: 'form', names: alternatives }
}

function invalidCallCheck(contract: Contract, { part, names, value, limit }: InvalidCall): OperationCheck {
  const { responses, invalidStatus } = contract
  const [name = ''] = names
  const omission = names.length > 1 ? `with none of ${names.join(', ')}` : `without '${name}'`
  const call = `A call ${value === undefined ? omission : `with '${value}' as '${name}'`}`
  const property = (contract[part] as TObject).properties[name] as TSchema
  const parameter = part === 'query' ? name : ''
  const response = invalidStatus && responses[invalidStatus]
  return {
    cites: joinCites(statementsIn(citesOf(property, limit)), statementsIn(response?.cites)),
    async run(operation) {
      const { values, whyUnproven } = safeCall(operation, parameter)
      const changes = { [part]: Object.fromEntries(names.map((one) => [one, value])) }
      const answer = await operation.sendCall(applyChanges(values, changes))
      const isUnknownRecord = !operation.session.allowWrites && !isReadOnly(contract)
      const mayBeUnknown = isUnknownRecord || (part === 'form' && limit === 'format')
      const clientErrors = statusesOf(contract).filter((status) => status >= 400 && status < 500)
      const alsoAllowed = {
        ...openStatuses(response),
        // For some parameters, the API document names no status.
        ...allowedBy(property['x-open-statuses']?.cites, ['4xx']),
        ...operation.allowedByCheckOrder(mayBeUnknown ? clientErrors : notFoundFirst(operation)),
      }
      operation.expect(answer, call, { status: invalidStatusOf(contract, parameter), alsoAllowed, whyUnproven })
    },
  }
}

/** Returns a call that does no harm if it succeeds; `whyUnproven`: the reason why its status may prove nothing. */
export function safeCall({ contract, sampleCall, session, facts }: TestedOperation, parameter = '') {
  const [file] = fileFieldsOf(contract)
  const isHarmless = session.allowWrites || isReadOnly(contract)
  if (isHarmless || (file === undefined && contract.permission === undefined)) return { values: sampleCall }
  if (file !== undefined) {
    const values = applyChanges(sampleCall, { form: { [file]: undefined } })
    const whyUnproven = `Without --allow-writes, the request omits '${file}' too, so its status proves nothing.`
    return { values, ...(parameter !== '' && { whyUnproven }) }
  }
  const unknown = Object.entries(sampleCall.params).map(([name, value]) => [name, session.data.unknownValueLike(value)])
  const whyUnproven = `Without --allow-writes, the request names a ${facts.record ?? 'record'} that does not exist, so its status proves nothing.`
  return { values: { ...sampleCall, params: Object.fromEntries(unknown), form: {} }, whyUnproven }
}

function permissionCheck({ conventions, responses }: Contract, permission: string): OperationCheck {
  return {
    cites: joinCites(conventions.permissions[permission], statementsIn(responses[403]?.cites)),
    async run(operation) {
      const { contract, sampleCall, session } = operation
      if (session.sender.target.tokenWithoutPermission === undefined)
        return operation.reportMissingOption(
          'This check needs --token-without-permission, with the token of a user who lacks the permission.',
        )
      const values = session.allowWrites ? { ...sampleCall, form: {} } : safeCall(operation).values
      const answer = await operation.sendCall(values, { token: tokenFor(contract, 'without permission') })
      const alsoAllowed = operation.allowedByCheckOrder(session.allowWrites && operation.hasKnownData ? [] : [404])
      return operation.expect(answer, 'A call by a user without the permission', { status: 403, alsoAllowed })
    },
  }
}

function allowedBy(cites: readonly Cite[] | undefined, statuses: OtherStatuses[keyof OtherStatuses]): OtherStatuses {
  return Object.fromEntries(interpretationsIn(cites).map((id) => [id, statuses]))
}

/** Statuses of an error for which the document names none. */
function openStatuses(response: Response | undefined): OtherStatuses {
  if (response === undefined || isSuccess(response) || response.anyStatusCites === undefined) return {}
  return allowedBy(response.cites, ['4xx', '5xx'])
}

/** Later path variables become unknown, too: their records belong to the unknown one. */
function unknownIdCheck({ params, responses }: Contract, name: string): OperationCheck {
  const names = Object.keys(params.properties)
  const notFound = responses[404]
  return {
    cites: joinCites(statementsIn(citesOf(params.properties[name] as TSchema)), statementsIn(notFound?.cites)),
    async run(operation) {
      const { sampleCall, session } = operation
      const unknown = names
        .slice(names.indexOf(name))
        .map((one) => [one, session.data.unknownValueLike(sampleCall.params[one])])
      const answer = await operation.send({ params: Object.fromEntries(unknown) })
      operation.expect(answer, `A call with an unknown '${name}'`, { status: 404, alsoAllowed: openStatuses(notFound) })
    },
  }
}
