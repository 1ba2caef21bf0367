import type { TSchema } from '@sinclair/typebox'
import { type Cites, citesOf, isStatement, joinedCites } from '../../../schemas/cites.js'
import { type Contract, filesOf, isRead, refusalStatusOf } from '../../../schemas/contract.js'
import { type Changes, changed, type Request, type Token } from '../calls.js'
import { CLIENT_ERRORS, ERRORS, isSuccess, Operation } from '../session.js'
import { type Check, check } from './check.js'

/** The checks that every contract gives: who may call, what must be sent, what may be sent, what exists. */
export function everyContract(contract: Contract): readonly Check[] {
  return [
    ...tokenChecks(contract),
    ...contract.tokenHeaders.map((header, at) => successCheck(contract, { header, whose: 'user' }, at)),
    ...mistakesIn(contract).map((mistake) => refusalCheck(contract, mistake)),
    ...(contract.permission === undefined ? [] : [permissionCheck]),
    ...(contract.responses[404] === undefined ? [] : unknownIdChecks(contract)),
  ]
}

/** The order of checks is I-03: a call that names what does not exist may get its 404 first. */
function notFoundFirst({ contract, isKnown }: Operation): readonly number[] {
  return 404 in contract.responses && !isKnown ? [404] : []
}

/** Calls with missing or invalid tokens; safe without --allow-writes. */
function tokenChecks({ tokenHeaders }: Contract): Check[] {
  const tokens: readonly (readonly [call: string, token: Token | null])[] = [
    ['A call without a token', null],
    ['A call with an empty token', { header: 'authorization', whose: 'empty' }],
    ...tokenHeaders.map(
      (header) => [`A call with a wrong token in '${header}'`, { header, whose: 'invalid' }] as const,
    ),
  ]
  return tokens.map(([call, token]) =>
    check(['SA.4', 'SA.1'], async (on, cites) => {
      const { id, method, path, cites: own } = on.contract
      const answer = await on.send({}, { token })
      if (isSuccess(answer) && !isRead(on.contract)) on.leaves(`what ${id} did: ${call}`)
      const isRefused = on.expect(answer, call, cites, { status: 401, otherwise: { 'I-03': notFoundFirst(on) } })
      // A call that is refused for its token shows that the operation exists.
      if (token === null && isRefused) on.holds([own[0], 'S0.1', 'S0.4'])
      const message = `${method} ${path} is answered with ${answer.status}: this operation does not seem to exist.`
      if (!isRefused && [404, 405].includes(answer.status)) on.claim(false, [own[0]], 'status', message)
    }),
  )
}

function successCheck(contract: Contract, token: Token, at: number): Check {
  const { form, query, invalid } = contract
  const required = (query.required ?? []).flatMap((name) => citesOf(query.properties[name] as TSchema) ?? [])
  const sending = [contract.cites[0], 'S0.1' as const, ...(form === undefined ? [] : (['S0.2'] as const))]
  const cites: Cites = at === 0 ? ['SA.2', ...sending, ...required.filter(isStatement)] : ['SA.3']
  const call = at === 0 ? 'A complete call' : `A call with the token in '${token.header}'`
  const run = async (on: Operation) => {
    const answer = await on.send({}, { token })
    const isEmpty = Object.keys(answer.call.form ?? { none: '' }).length === 0
    on.expect(answer, call, cites, { otherwise: { 'I-10': isEmpty ? [invalid] : [] }, needsData: true })
  }
  return check(cites, run, isRead(contract) ? undefined : 'writes')
}

interface Mistake {
  readonly call: string
  readonly cites: Cites
  readonly changes: Changes
  readonly parameter?: string
  /** Whether the value may as well not be found. */
  readonly maybeNotFound?: boolean
}

const WRONG = { enum: 'Countersign', format: 'countersign' } as const

function mistakesIn(contract: Contract): readonly Mistake[] {
  const { query, form, atLeastOneOf = [], responses, invalid } = contract
  /** A value in place of another one; none leaves it out. */
  const mistake = (part: 'params' | 'query' | 'form', name: string, value?: string, limit?: string): Mistake => {
    const cites = [citesOf(contract[part]?.properties[name] as TSchema, limit), responses[invalid]?.cites]
    return {
      call: value === undefined ? `A call without '${name}'` : `A call with '${value}' as '${name}'`,
      cites: joinedCites(...cites.map((some) => some?.filter(isStatement))),
      changes: { [part]: { [name]: value } },
      ...(part === 'query' && { parameter: name }),
      maybeNotFound: part === 'form' && limit === 'format',
    }
  }
  const limited = (part: 'form' | 'params') =>
    Object.entries<TSchema>(contract[part]?.properties ?? {}).flatMap(([name, schema]) =>
      (['enum', 'format'] as const)
        .filter((limit) => schema[limit] !== undefined && citesOf(schema, limit)?.some(isStatement))
        .map((limit) => mistake(part, name, WRONG[limit], limit)),
    )
  const isEnum = (name: string) => (query.properties[name] as TSchema).enum !== undefined
  return [
    ...(query.required ?? []).map((name) => mistake('query', name)),
    ...(query.required ?? []).filter(isEnum).map((name) => mistake('query', name, 'COUNTERSIGN')),
    ...(form?.required ?? []).map((name) => mistake('form', name)),
    ...[...filesOf(contract)]
      .filter((name) => form?.required?.includes(name))
      .map((name) => mistake('form', name, 'text')),
    ...atLeastOneOf.slice(0, 1).map((name) => ({
      ...mistake('form', name),
      call: `A call with neither of ${atLeastOneOf.join(', ')}`,
      changes: { form: Object.fromEntries(atLeastOneOf.map((one) => [one, undefined])) },
    })),
    ...limited('form'),
    ...limited('params'),
  ]
}

function refusalCheck(contract: Contract, { call, cites, changes, parameter = '', maybeNotFound }: Mistake): Check {
  // "4xx or 5xx".
  const isOpen = Object.values(contract.responses).some((one) => one.cites.includes('S7.6'))
  return check(cites, async (on) => {
    const { request, masked } = harmless(on, parameter)
    const sent = changed(request, changes)
    const answer = await on.sendRequest(sent)
    const texts = Object.entries({ ...sent.params, ...sent.form }).filter(([, value]) => typeof value === 'string')
    const named = texts.map((pair) => pair.join(': ')).join(', ')
    if (isSuccess(answer) && !isRead(contract)) on.leaves(`what ${contract.id} did: ${call} (${named})`)
    const isMasked = !on.session.allowWrites && !isRead(contract)
    if (call === "A call without 'user_type'" && !isMasked && CLIENT_ERRORS.includes(answer.status))
      on.sees('missingUserType', answer, answer.status)
    const mayComeFirst = CLIENT_ERRORS.filter((status) => status in contract.responses)
    const otherwise = {
      'I-11': isOpen ? ERRORS : [],
      // The document names no status for the user type.
      'I-04': parameter === 'user_type' ? CLIENT_ERRORS : [],
      'I-03': isMasked || maybeNotFound ? mayComeFirst : notFoundFirst(on),
    }
    on.expect(answer, call, cites, { status: refusalStatusOf(contract, parameter), otherwise, masked })
  })
}

/**
 * The call that a mistake is put into. Without --allow-writes it does no harm even if it is carried out: it names a
 * member that does not exist, an unused address, and brings no signature. `masked` says why it proves nothing that the
 * call is refused as expected.
 */
export function harmless(
  { contract, complete, session }: Operation,
  parameter = '',
): { readonly request: Request; readonly masked?: string | undefined } {
  if (session.allowWrites || isRead(contract)) return { request: complete }
  const [file] = filesOf(contract)
  if (file !== undefined) {
    const masked = parameter === '' ? undefined : `Without --allow-writes, the call has no '${file}' either.`
    return { request: changed(complete, { form: { [file]: undefined } }), masked }
  }
  if (contract.permission === undefined) return { request: complete }
  const unknown = Object.entries(complete.params).map(([name, value]) => [name, session.values.unknownLike(value)])
  const masked = 'Without --allow-writes, the call names a member that does not exist.'
  return { request: { ...complete, params: Object.fromEntries(unknown), form: {} }, masked }
}

const permissionCheck = check(
  ['SA.5', 'SE.2'],
  async (on, cites) => {
    const { complete, session } = on
    const token: Token = { header: 'authorization', whose: 'without permission' }
    const request = session.allowWrites ? { ...complete, form: {} } : harmless(on).request
    const answer = await on.sendRequest(request, { token })
    const others = session.contracts.filter((one) => isRead(one) && one.permission === undefined)
    const answers = await Promise.all(others.map((one) => new Operation(one, session).send({}, { token })))
    if ([answer, ...answers].every(({ status }) => status === 401))
      return on.unchecked(cites, 'The provider does not accept the token of --token-without-permission.')
    const otherwise = { 'I-03': session.allowWrites && on.isKnown ? [] : [404] }
    return on.expect(answer, 'A call by a user without the permission', cites, { status: 403, otherwise })
  },
  'a second token',
)

/** Each path variable, and all after it, with an identifier that nothing has. */
function unknownIdChecks({ params, form, responses }: Contract): Check[] {
  const names = Object.keys(params.properties)
  const found = responses[404]
  const optional = Object.keys(form?.properties ?? {}).filter((name) => !form?.required?.includes(name))
  return names.map((name, at) => {
    const own = citesOf(params.properties[name] as TSchema)
    return check(joinedCites(own?.filter(isStatement), found?.cites.filter(isStatement)), async (on, cites) => {
      const unknown = names.slice(at).map((one) => [one, on.session.values.unknownLike(on.complete.params[one] ?? '')])
      const answer = await on.send({
        params: Object.fromEntries(unknown),
        // Nothing but what must be sent: there is nothing to change.
        form: Object.fromEntries(optional.map((one) => [one, undefined])),
      })
      const otherwise = { 'I-11': found?.provenance === 'assumed' ? ERRORS : [] }
      on.expect(answer, `A call with an unknown '${name}'`, cites, { status: 404, otherwise })
    })
  })
}
