import type { TObject, TSchema } from '@sinclair/typebox'
import { type Cites, citesOf, isStatement, joinedCites } from '../../../schemas/cites.js'
import { isFile } from '../../../schemas/common.js'
import { type Contract, filesOf, isRead, refusalStatusOf } from '../../../schemas/contract.js'
import type { InterpretationId } from '../../../schemas/interpretations.js'
import { type Changes, changed, type Request, type Token } from '../calls.js'
import { isSuccess, Operation } from '../session.js'
import { type Check, callCheck } from './check.js'

/** The checks that every contract gives: who may call, what must be sent, what may be sent, what exists. */
export function checksOf(contract: Contract): readonly Check[] {
  return [
    ...tokenChecks(contract),
    ...contract.tokenHeaders.map((header, at) => successCheck(contract, { header, whose: 'user' }, at)),
    ...mistakesIn(contract).map((mistake) => refusalCheck(contract, mistake)),
    ...(contract.permission === undefined ? [] : [permissionCheck]),
    ...(contract.responses[404] === undefined ? [] : unknownIdChecks(contract)),
  ]
}

/** Calls with missing or invalid tokens; safe without --allow-writes. */
function tokenChecks({ tokenHeaders }: Contract): Check[] {
  const cites: Cites = ['SA.4', 'SA.1']
  const tokens: readonly (readonly [call: string, token: Token | null])[] = [
    ['A call without a token', null],
    ['A call with an empty token', { header: 'authorization', whose: 'empty' }],
    ['A call with a wrong token', { header: 'authorization', whose: 'invalid' }],
    ...tokenHeaders
      .slice(1)
      .map((header) => [`A call with a wrong token in '${header}'`, { header, whose: 'invalid' }] as const),
  ]
  return tokens.map(([call, token]) => ({
    cites,
    run: async (on) => {
      const { contract } = on
      const answer = await on.send({}, { token })
      if (isSuccess(answer) && !isRead(contract))
        on.leaves(`what ${contract.id} did when it was called ${call.slice('A call '.length)}`)
      const isRefused = on.expect(answer, {
        status: 401,
        cites,
        call,
        otherwise: (status) => notFoundFirst(on, status),
      })
      if (token !== null) return
      // A call that is refused for its token shows that the operation exists.
      if (isRefused) on.claim(true, { cites: [contract.cites[0], 'S0.1', 'S0.4'] })
      else if (answer.status === 404 || answer.status === 405) {
        const message = `${contract.method} ${contract.path} is answered with ${answer.status}: this operation does not seem to exist.`
        on.claim(false, { cites: [contract.cites[0]], where: 'status', message })
      }
    },
  }))
}

/** The order of checks is I-03: a call that names what does not exist may get its 404 first. */
function notFoundFirst({ contract, isKnown }: Operation, status: number): InterpretationId | undefined {
  return status === 404 && 404 in contract.responses && !isKnown ? 'I-03' : undefined
}

function successCheck(contract: Contract, token: Token, at: number): Check {
  const { form, query, invalid } = contract
  const required = (query.required ?? []).flatMap((name) => citesOf(query.properties[name] as TSchema) ?? [])
  const sending = [contract.cites[0], 'S0.1' as const, ...(form === undefined ? [] : (['S0.2'] as const))]
  return {
    cites: at === 0 ? ['SA.2', ...sending, ...required.filter(isStatement)] : ['SA.3'],
    needs: isRead(contract) ? undefined : 'writes',
    async run(on) {
      const answer = await on.send({}, { token })
      const isEmpty = Object.keys(answer.call.form ?? { none: '' }).length === 0
      const call = at === 0 ? 'A complete call' : `A call with the token in '${token.header}'`
      const otherwise = (status: number) => (isEmpty && status === invalid ? 'I-10' : undefined)
      on.expect(answer, { cites: this.cites, call, otherwise, needsData: true })
    },
  }
}

/** A call that must be refused. */
interface Mistake {
  readonly call: string
  readonly cites: Cites
  readonly changes: Changes
  /** The query parameter that has the mistake. */
  readonly parameter?: string
  /** Whether the value may as well not be found. */
  readonly maybeNotFound?: boolean
}

/** Limits that the document sets, with a value that breaks each. */
const WRONG = { enum: 'Countersign', format: 'countersign' } as const

function mistakesIn(contract: Contract): readonly Mistake[] {
  const { query, form, params, atLeastOneOf = [], responses, invalid } = contract
  const citesFor = (schema: TSchema, limit?: string) =>
    joinedCites(...[citesOf(schema, limit), responses[invalid]?.cites].map((cites) => cites?.filter(isStatement)))
  const limited = (part: 'form' | 'params', { properties }: TObject) =>
    Object.entries<TSchema>(properties).flatMap(([name, schema]) =>
      (['enum', 'format'] as const)
        .filter((limit) => schema[limit] !== undefined && citesOf(schema, limit)?.some(isStatement))
        .map((limit) => ({
          call: `A call with '${WRONG[limit]}' as '${name}'`,
          cites: citesFor(schema, limit),
          changes: { [part]: { [name]: WRONG[limit] } },
          maybeNotFound: part === 'form' && limit === 'format',
        })),
    )
  const parameters = (query.required ?? []).map((name) => {
    const schema = query.properties[name] as TSchema
    return {
      call: `A call without '${name}'`,
      cites: citesFor(schema),
      changes: { query: { [name]: undefined } },
      parameter: name,
      schema,
    }
  })
  const fields = (form?.required ?? []).map((name) => ({ name, cites: citesFor(form?.properties[name] as TSchema) }))
  const files = fields.filter(({ name }) => filesOf(contract).has(name))
  const [one] = atLeastOneOf
  return [
    ...parameters,
    ...parameters
      .filter(({ parameter, schema }) => parameter === 'user_type' && schema.enum !== undefined)
      .map((one) => ({
        ...one,
        call: "A call with another 'user_type'",
        changes: { query: { user_type: 'COUNTERSIGN' } },
      })),
    ...fields.map(({ name, cites }) => ({
      call: `A call without '${name}'`,
      cites,
      changes: { form: { [name]: undefined } },
    })),
    ...files.map(({ name, cites }) => ({
      call: `A call with text as '${name}'`,
      cites,
      changes: { form: { [name]: 'countersign' } },
    })),
    ...(one === undefined || form === undefined
      ? []
      : [
          {
            call: `A call with neither of ${atLeastOneOf.join(', ')}`,
            cites: citesFor(form.properties[one] as TSchema),
            changes: { form: Object.fromEntries(atLeastOneOf.map((name) => [name, undefined])) },
          },
        ]),
    ...(form === undefined ? [] : limited('form', form)),
    ...limited('params', params),
  ]
}

function refusalCheck(contract: Contract, { call, cites, changes, parameter = '', maybeNotFound }: Mistake): Check {
  const status = refusalStatusOf(contract, parameter)
  return {
    cites,
    run: async (on) => {
      const { request, masked } = harmless(on, parameter)
      const sent = changed(request, changes)
      const answer = await on.sendRequest(sent)
      if (isSuccess(answer) && !isRead(contract)) {
        const values = Object.entries({ ...sent.params, ...sent.form }).filter(([, value]) => typeof value === 'string')
        const named = values.length === 0 ? '' : ` (${values.map((pair) => pair.join(': ')).join(', ')})`
        on.leaves(`what ${contract.id} did with a call that it should have refused${named}`)
      }
      const isMasked = !on.session.allowWrites && !isRead(contract)
      const otherwise = (other: number): InterpretationId | undefined => {
        if (other < 400) return undefined
        // "4xx or 5xx".
        if (Object.values(contract.responses).some((one) => one.cites.includes('S7.6'))) return 'I-11'
        if (other >= 500) return undefined
        // The document names no status for the user type.
        if (parameter === 'user_type') return 'I-04'
        return (isMasked || maybeNotFound) && other in contract.responses ? 'I-03' : notFoundFirst(on, other)
      }
      on.expect(answer, { status, cites, call, otherwise, masked })
    },
  }
}

/**
 * The call that a mistake is put into. Without --allow-writes it does no harm even if it is carried out: it names a
 * member that does not exist, an unused address, and brings no signature.
 */
export function harmless(
  { contract, complete, session }: Operation,
  parameter = '',
): { readonly request: Request; readonly masked?: string | undefined } {
  if (session.allowWrites || isRead(contract)) return { request: complete }
  const [file] = Object.entries<TSchema>(contract.form?.properties ?? {}).find(([, schema]) => isFile(schema)) ?? []
  if (file !== undefined) {
    const masked = parameter === '' ? undefined : `Without --allow-writes, the call has no '${file}' either.`
    return { request: changed(complete, { form: { [file]: undefined } }), masked }
  }
  if (contract.permission === undefined) return { request: complete }
  const unknown = Object.entries(complete.params).map(([name, value]) => [name, session.values.unknownLike(value)])
  const masked = 'Without --allow-writes, the call names a member that does not exist.'
  return { request: { ...complete, params: Object.fromEntries(unknown), form: {} }, masked }
}

const permissionCheck: Check = {
  cites: ['SA.5', 'SE.2'],
  needs: 'a second token',
  async run(on) {
    const { complete, session } = on
    const token: Token = { header: 'authorization', whose: 'without permission' }
    const request = session.allowWrites ? { ...complete, form: {} } : harmless(on).request
    const answer = await on.sendRequest(request, { token })
    if (answer.status === 401 && !(await isAccepted(on, token)))
      return on.unchecked(this.cites, 'The provider does not accept the token of --token-without-permission.')
    const otherwise = (status: number) =>
      status === 404 && !(session.allowWrites && on.isKnown) ? ('I-03' as const) : undefined
    return on.expect(answer, {
      status: 403,
      cites: this.cites,
      call: 'A call by a user without the permission',
      otherwise,
    })
  },
}

/** Whether another operation, which asks for no permission, takes a token. */
async function isAccepted({ session }: Operation, token: Token): Promise<boolean> {
  for (const contract of session.contracts.filter((one) => isRead(one) && one.permission === undefined)) {
    const { status } = await new Operation(contract, session).send({}, { token })
    if (status !== 401) return true
  }
  return false
}

/** Each path variable, and all after it, with an identifier that nothing has. */
function unknownIdChecks({ params, form, responses }: Contract): Check[] {
  const names = Object.keys(params.properties)
  const found = responses[404]
  const { properties = {}, required = [] } = form ?? {}
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  return names.map((name, at) => {
    const own = citesOf(params.properties[name] as TSchema)
    return callCheck({
      call: `A call with an unknown '${name}'`,
      cites: joinedCites(own?.filter(isStatement), found?.cites.filter(isStatement)),
      status: 404,
      changes: ({ complete, session }) => ({
        params: Object.fromEntries(
          names.slice(at).map((one) => [one, session.values.unknownLike(complete.params[one] ?? '')]),
        ),
        // Nothing but what must be sent: there is nothing to change.
        form: Object.fromEntries(optional.map((one) => [one, undefined])),
      }),
      otherwise: (status) => (found?.provenance === 'assumed' && status >= 400 ? 'I-11' : undefined),
    })
  })
}
