import type { TObject, TSchema } from '@sinclair/typebox'
import { type Cite, type Cites, citesOf } from '../../../schemas/cites.js'
import { exampleOf, isFile } from '../../../schemas/common.js'
import { type Contract, refusalStatusOf, successStatusOf } from '../../../schemas/contract.js'
import type { InterpretationId } from '../../../schemas/interpretations.js'
import { type Request, type Token, withoutField, withoutParameter } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import { isRead } from '../calls/values.js'
import type { Check } from './check.js'
import { type Expectation, judge } from './judge.js'
import { isSuccess, type Session, send } from './session.js'

/** What every contract says of its calls: who may call, what must be sent, what may be sent, what exists. */
export function checksOf(contract: Contract): readonly Check[] {
  return [
    ...tokenChecks(contract),
    ...successChecks(contract),
    ...missingParameterChecks(contract),
    ...missingFieldChecks(contract),
    ...invalidValueChecks(contract),
    ...permissionChecks(contract),
    ...unknownIdChecks(contract),
  ]
}

const TOKENS: readonly { readonly token: Token | null; readonly words: string }[] = [
  { token: null, words: 'A call without a token' },
  { token: { header: 'authorization', whose: 'nobody at all' }, words: 'A call with an empty token' },
  { token: { header: 'authorization', whose: 'nobody' }, words: 'A call with a wrong token' },
]

/** Nobody's calls: even a provider that carries them out does so for nobody. */
function tokenChecks(contract: Contract): Check[] {
  const others = contract.tokenHeaders.slice(1).map((header) => ({
    token: { header, whose: 'nobody' } as const,
    words: `A call with a wrong token in '${header}'`,
  }))
  return [...TOKENS, ...others].map(({ token, words }) => ({
    cites: ['SA.4', 'SA.1'],
    run: async (session) => {
      const answer = await send(session, contract, undefined, { token })
      const accepted = isSuccess(answer) && !isRead(contract)
      if (accepted)
        session.findings.leaves(`what ${contract.id} did when it was called ${words.replace('A call ', '')}`)
      const otherwise = orderOf(session, contract)
      const refused = judge(session, answer, { status: 401, cites: ['SA.4', 'SA.1'], call: words, otherwise })
      if (token === null) comparePath(session, answer, refused)
    },
  }))
}

/** That a call is refused for its token shows that there is an operation to be called. */
function comparePath({ findings }: Session, { call: { contract }, status }: Answer, refused: boolean): void {
  const cites: Cites = [contract.cites[0], 'S0.1', 'S0.4']
  if (refused) findings.holds(cites, contract.id)
  else if (status === 404 || status === 405)
    findings.drifts({
      cites: [contract.cites[0]],
      operation: contract.id,
      where: 'status',
      message: `${contract.method} ${contract.path} is answered ${status}: there seems to be no such operation.`,
    })
}

/** Which status another mistake of a call may get first, where it names what may not be there: the order is I-03. */
function orderOf(session: Session, contract: Contract): (status: number) => InterpretationId | undefined {
  return (status) => (status === 404 && 404 in contract.responses && !session.isKnown(contract) ? 'I-03' : undefined)
}

/** Each way to send the token, with a call that is to be carried out. */
function successChecks(contract: Contract): Check[] {
  const status = successStatusOf(contract)
  return contract.tokenHeaders.map((header, at) => {
    const cites: Cites = at === 0 ? ['SA.2', ...sendingCites(contract)] : ['SA.3']
    return {
      cites,
      ...(!isRead(contract) && { needs: 'writes' as const }),
      run: async (session) => {
        const answer = await send(session, contract, undefined, { token: { header, whose: 'user' } })
        if (isUnknownData(session, answer)) return notThere(session, answer, cites)
        const call = at === 0 ? 'A complete call' : `A call with the token in '${header}'`
        judge(session, answer, { status, cites, call, otherwise: emptyOtherwise(answer), advice: dataAdvice(contract) })
      },
    }
  })
}

/** That a form without a field is taken is a reading. */
function emptyOtherwise({ call: { contract, form } }: Answer): Expectation['otherwise'] {
  const empty = form !== null && Object.keys(form).length === 0
  return (status) => (empty && status === contract.invalid ? 'I-10' : undefined)
}

/** What a call that is carried out shows of how calls are sent. */
function sendingCites({ form, query, cites }: Contract): Cite[] {
  const required = (query.required ?? []).flatMap((name) => citesOf(query.properties[name] as TSchema) ?? [])
  return [cites[0], 'S0.1', ...(form === undefined ? [] : (['S0.2'] as const)), ...required.filter(isStatement)]
}

const isStatement = (cite: Cite) => cite.startsWith('S')

/** Whether a call may have failed because the examples of the contracts name nothing at this provider. */
export function isUnknownData(session: Session, { status, call: { contract } }: Answer): boolean {
  const statuses = UNKNOWN[contract.id] ?? [404, 422].filter((one) => one in contract.responses)
  return statuses.includes(status) && !session.isKnown(contract)
}

/** Statuses of what is unknown where they are a reading: an organization that nobody can be invited into (I-07). */
const UNKNOWN: Readonly<Record<string, readonly number[]>> = { addOrganizationMember: [400, 404] }

export function notThere({ findings }: Session, answer: Answer, cites: Cites): void {
  const { contract, ...call } = answer.call
  const message = `Answered ${answer.status}: ${namesIn(call)} may not exist there. ${dataAdvice(contract)()}`
  findings.unchecked(cites, contract.id, message)
}

function namesIn({ params, query, form }: Request): string {
  const { user_type: _, ...named } = { ...params, ...query, ...form }
  return `what is named (${Object.keys(named).join(', ')})`
}

/** How to name what exists at a provider. */
export function dataAdvice(contract: Contract): () => string {
  const parts = (['params', 'query', 'form'] as const).filter(
    (part) => Object.keys(contract[part]?.properties ?? {}).length > 0,
  )
  const words = `Name what exists there with --data FILE: { ${contract.id}: { ${parts.map((part) => `${part}: {…}`).join(', ')} } }.`
  return () => words
}

/** Each required parameter left out, or with a value that is none of its own. */
function missingParameterChecks(contract: Contract): Check[] {
  return (contract.query.required ?? []).flatMap((name): Check[] => {
    const schema = contract.query.properties[name] as TSchema
    const cites = refusalCites(contract, schema)
    const missing = refusal(
      contract,
      cites,
      `A call without '${name}'`,
      (request) => withoutParameter(request, name),
      name,
    )
    if (!isUserType(name, schema)) return [missing]
    const other = (request: Request) => ({ ...request, query: { ...request.query, [name]: 'COUNTERSIGN' } })
    return [missing, refusal(contract, cites, `A call with another '${name}'`, other, name)]
  })
}

const isUserType = (name: string, schema: TSchema) => name === 'user_type' && schema.enum !== undefined

/** What requires a part of a request, and what answers where it is missing. */
function refusalCites({ responses, invalid }: Contract, schema: TSchema, limit?: string): Cites {
  const own = (citesOf(schema, limit) ?? []).filter(isStatement)
  const answer = (responses[invalid]?.cites ?? []).filter(isStatement)
  return [...new Set([...own, ...answer])] as unknown as Cites
}

/** A call that must be refused: by the operation's invalid status, or as its parameter is. */
function refusal(
  contract: Contract,
  cites: Cites,
  call: string,
  change: (request: Request) => Request,
  parameter = '',
  { alike = false }: { readonly alike?: boolean } = {},
): Check {
  const status = refusalStatusOf(contract, parameter)
  return {
    cites,
    run: async (session) => {
      const { request, masked } = harmless(session, contract, parameter)
      const sent = change(request)
      const answer = await session.client.send({ contract, token: USER_TOKEN, ...sent })
      if (isSuccess(answer) && !isRead(contract)) session.findings.leaves(leftBy(contract, sent))
      const expected: Expectation = {
        status,
        cites,
        call,
        otherwise: refusedOtherwise(session, contract, parameter, alike),
        ...(masked !== undefined && { masked }),
      }
      judge(session, answer, expected)
    },
  }
}

const USER_TOKEN: Token = { header: 'authorization', whose: 'user' }

/** The readings by which another refusal than the contract's is one all the same. */
function refusedOtherwise(session: Session, contract: Contract, parameter: string, alike: boolean) {
  const open = Object.values(contract.responses).some(({ cites }) => cites.includes('S7.6'))
  const masked = !session.allowWrites && !isRead(contract)
  return (status: number): InterpretationId | undefined => {
    if (status < 400) return undefined
    // "4xx or 5xx".
    if (open) return 'I-11'
    if (status >= 500) return undefined
    // The document names no status for the user type.
    if (parameter === 'user_type') return 'I-04'
    if ((masked || alike) && status in contract.responses) return 'I-03'
    return orderOf(session, contract)(status)
  }
}

/** What a provider that carries out what it should refuse leaves behind. */
function leftBy({ id }: Contract, { form, params }: Request): string {
  const named = { ...params, ...form }
  const values = Object.entries(named).flatMap(([name, value]) =>
    typeof value === 'string' ? [`${name}: ${value}`] : [],
  )
  return `what ${id} did with a call that it should have refused${values.length === 0 ? '' : ` (${values.join(', ')})`}`
}

/**
 * The call that a mistake is put into. Where writes are not allowed it is one that does no harm, should it be carried
 * out: it names a member that does not exist, an address that nobody reads, and brings no signature.
 */
function harmless(
  { allowWrites, values }: Session,
  contract: Contract,
  parameter: string,
): { readonly request: Request; readonly masked?: string } {
  const complete = values.complete(contract)
  if (allowWrites || isRead(contract)) return { request: complete }
  const [file] = Object.entries<TSchema>(contract.form?.properties ?? {}).find(([, schema]) => isFile(schema)) ?? []
  if (file !== undefined) {
    const masked = parameter === '' ? undefined : `Without --allow-writes the call has no '${file}' either.`
    return { request: withoutField(complete, file), ...(masked !== undefined && { masked }) }
  }
  if (contract.permission === undefined) return { request: complete }
  const params = Object.fromEntries(
    Object.entries(complete.params).map(([name, value]) => [name, values.unknownLike(value)]),
  )
  return {
    request: { ...complete, params, form: {} },
    masked: 'Without --allow-writes the call names a member that does not exist.',
  }
}

/** Each required field left out, and all fields of which one is due. */
function missingFieldChecks(contract: Contract): Check[] {
  const { form, atLeastOneOf = [] } = contract
  if (form === undefined) return []
  const each = (form.required ?? []).map((name) =>
    refusal(contract, refusalCites(contract, form.properties[name] as TSchema), `A call without '${name}'`, (request) =>
      withoutField(request, name),
    ),
  )
  if (atLeastOneOf.length === 0) return each
  const cites = refusalCites(contract, form.properties[atLeastOneOf[0] as string] as TSchema)
  const none = (request: Request) => atLeastOneOf.reduce(withoutField, request)
  return [...each, refusal(contract, cites, `A call with neither of ${atLeastOneOf.join(', ')}`, none)]
}

/** Limits that the document sets, with a value that is none of theirs. */
const WRONG: readonly { readonly limit: 'enum' | 'format'; readonly value: string }[] = [
  { limit: 'enum', value: 'Countersign' },
  { limit: 'format', value: 'countersign' },
]

/** Each form field and path variable whose values the document limits, with another value. */
function invalidValueChecks(contract: Contract): Check[] {
  const limited = (part: TObject | undefined) =>
    Object.entries<TSchema>(part?.properties ?? {}).flatMap(([name, schema]) =>
      WRONG.filter(({ limit }) => (citesOf(schema, limit) ?? []).some(isStatement) && schema[limit] !== undefined).map(
        (wrong) => ({ name, ...wrong, cites: refusalCites(contract, schema, wrong.limit) }),
      ),
    )
  return [
    ...limited(contract.form).map(({ name, limit, value, cites }) =>
      refusal(
        contract,
        cites,
        `A call with '${value}' as '${name}'`,
        (request) => withField(request, name, value),
        '',
        {
          // What is no UUID may simply not be found.
          alike: limit === 'format',
        },
      ),
    ),
    ...limited(contract.params).map(({ name, value, cites }) =>
      refusal(contract, cites, `A call with '${value}' as '${name}'`, (request) => ({
        ...request,
        params: { ...request.params, [name]: value },
      })),
    ),
  ]
}

const withField = (request: Request, name: string, value: string): Request => ({
  ...request,
  form: { ...request.form, [name]: value },
})

/** A caller who may not do what the operation asks permission for. */
function permissionChecks(contract: Contract): Check[] {
  if (contract.permission === undefined) return []
  const cites: Cites = ['SA.5', 'SE.2']
  return [
    {
      cites,
      needs: 'a second token',
      run: async (session) => {
        const { request } = session.allowWrites
          ? { request: { ...session.values.complete(contract), form: {} } }
          : harmless(session, contract, '')
        const token: Token = { header: 'authorization', whose: 'user without permission' }
        const answer = await session.client.send({ contract, token, ...request })
        if (answer.status === 401) {
          session.findings.unchecked(
            cites,
            contract.id,
            'The token of --token-without-permission is not accepted there.',
          )
          return
        }
        const otherwise = (status: number) =>
          status === 404 && (!session.allowWrites || !session.isKnown(contract)) ? ('I-03' as const) : undefined
        judge(session, answer, { status: 403, cites, call: 'A call of a user without the permission', otherwise })
      },
    },
  ]
}

/** Each path variable, and so all after it, with an identifier that nothing has. */
function unknownIdChecks(contract: Contract): Check[] {
  const names = Object.keys(contract.params.properties)
  const answer = contract.responses[404]
  if (names.length === 0 || answer === undefined) return []
  const documented = answer.provenance !== 'assumed'
  return names.map((name, at) => {
    const own = citesOf(contract.params.properties[name] as TSchema) ?? []
    const cites = [...new Set([...own, ...answer.cites])].filter(isStatement) as unknown as Cites
    return {
      cites,
      run: async (session) => {
        const complete = session.values.complete(contract)
        const params = Object.fromEntries(
          Object.entries(complete.params).map(([one, value], nth) => [
            one,
            nth >= at ? session.values.unknownLike(value) : value,
          ]),
        )
        const form = complete.form === null ? null : {}
        const found = await session.client.send({ contract, token: USER_TOKEN, ...complete, form, params })
        const otherwise = (status: number): InterpretationId | undefined =>
          documented || status < 400 ? undefined : 'I-11'
        judge(session, found, { status: 404, cites, call: `A call with an unknown '${name}'`, otherwise })
      },
    }
  })
}

/** What a parameter's example is; empty where it has none. */
export const exampleIn = (part: TObject | undefined, name: string) => exampleOf(part?.properties[name] as TSchema)
