import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { bodySchema } from '../../schemas/bodies.js'
import { isFile } from '../../schemas/common.js'
import { type Contract, outcomeId, statusesOf } from '../../schemas/contract.js'
import { contracts, type OperationId } from '../../schemas/contracts.js'
import { checkOf } from '../../src/validation/check.js'
import { build, type Changes, fileOf, fixtureFile, lastExchange, messageOf, send } from '../helper.js'

const NO_TOKEN: Changes = { headers: { authorization: undefined } }
const NOT_PERMITTED: Changes = { headers: { authorization: 'Bearer token-member' } }
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** What brings each documented outcome about by itself. */
const causes: Readonly<Record<OperationId, Readonly<Record<number, Changes>>>> = {
  uploadSignature: { 200: {}, 401: NO_TOKEN, 422: { form: { file: undefined } } },
  updateSubOrganizationMember: {
    200: {},
    400: { form: { role: 'Owner' } },
    401: NO_TOKEN,
    403: NOT_PERMITTED,
    404: { params: { subOrgMemberId: '999' } },
  },
  verifyDocument: {
    200: {},
    400: { form: { file: undefined, code: undefined } },
    401: NO_TOKEN,
    404: { form: { file: undefined, code: 'DOC-1999-0001' } },
    422: { form: { file: fixtureFile('revoked.pdf'), code: undefined } },
  },
  searchProtectedAttachments: {
    200: {},
    400: { query: { 'keyword[sample_1]': undefined } },
    401: NO_TOKEN,
    404: { query: { 'keyword[sample_1]': 'no such thing' } },
  },
  listCreditHistories: { 200: {}, 400: { query: { page: undefined } }, 401: NO_TOKEN },
  addOrganizationMember: {
    200: {},
    400: { form: { 'data[0][organization_id]': '77' } },
    401: NO_TOKEN,
    409: { form: { 'data[0][email]': 'li.jun@example.test' } },
  },
  createSigningLink: {
    200: {},
    400: { query: { email: 'nobody' } },
    401: NO_TOKEN,
    404: { params: { uuid: NOBODY } },
  },
}

for (const contract of contracts) {
  const caused = causes[contract.id]

  t.test(`${contract.id} reaches every declared outcome but 500 by its natural cause`, async (t) => {
    const server = await build(t)
    t.same(
      Object.keys(caused).map(Number),
      statusesOf(contract).filter((status) => status !== 500),
      'the cases cover every declared status but 500',
    )
    for (const [status, changes] of Object.entries(caused)) {
      const response = await send(server, contract, changes)
      const exchange = lastExchange(server)
      t.equal(response.statusCode, Number(status), `the answer is ${status}`, { body: response.body })
      t.match(
        response.headers,
        {
          'content-type': 'application/json; charset=utf-8',
          'x-mock-outcome': outcomeId(contract, Number(status)),
          'x-mock-exchange': exchange.id,
        },
        `${status}: the headers show the outcome and the exchange`,
      )
      t.same(
        checkOf(bodySchema(contract, Number(status)) as TSchema)(response.json()),
        [],
        `${status}: the body fits its schema`,
      )
      t.match(
        exchange,
        { cause: 'natural', status: Number(status), deviations: [] },
        `${status}: the journal shows a natural cause`,
      )
    }
  })

  t.test(`${contract.id} answers 401, and says how to send the token, unless a known one is sent`, async (t) => {
    const server = await build(t)
    const authorizations = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Basic dG9rZW4tYWRtaW46',
      'token-admin',
      'Bearertoken-admin',
    ]
    const doubtful = ['Bearer nobody', 'Bearer Bearer token-admin', 'Bearer token-admin extra', 'Bearer TOKEN-ADMIN']
    for (const authorization of [...authorizations, ...doubtful]) {
      const response = await send(server, contract, { headers: { authorization } })
      const label = authorization === undefined ? 'no Authorization header' : `Authorization '${authorization}'`
      t.equal(response.statusCode, 401, `${label}: the answer is 401`)
      t.equal(response.json().error.code, 401, `${label}: the body carries the code 401`)
      t.match(messageOf(response), /token|Bearer <USER_TOKEN>/, `${label}: the message explains how to send the token`)
      t.equal(response.headers['www-authenticate'], 'Bearer', `${label}: WWW-Authenticate asks for Bearer`)
    }
    const inQuery = { token: 'token-admin', access_token: 'token-admin', user_token: 'token-admin' }
    t.equal(
      (await send(server, contract, { ...NO_TOKEN, query: inQuery })).statusCode,
      401,
      'a token in the query is not accepted',
    )
    for (const authorization of ['bearer token-admin', 'BEARER token-admin', 'Bearer  token-admin']) {
      t.equal(
        (await send(server, contract, { headers: { authorization } })).statusCode,
        200,
        `'${authorization}' is accepted`,
      )
    }
  })

  t.test(`${contract.id} reads the header user-token only where the document says so`, async (t) => {
    const server = await build(t)
    const statusWith = async (headers: Changes['headers']) => (await send(server, contract, { headers })).statusCode
    const reads = contract.id === 'searchProtectedAttachments'
    t.equal(
      await statusWith({ authorization: undefined, 'user-token': 'token-admin' }),
      reads ? 200 : 401,
      `a known user-token alone is ${reads ? 'accepted' : 'ignored'}`,
    )
    t.equal(
      await statusWith({ authorization: undefined, 'user-token': 'nobody' }),
      401,
      'an unknown user-token alone is refused',
    )
    t.equal(
      await statusWith({ authorization: undefined, 'user-token': '' }),
      401,
      'an empty user-token alone is refused',
    )
    t.equal(
      await statusWith({ authorization: 'Bearer nobody', 'user-token': 'token-admin' }),
      401,
      'an unknown bearer token is refused beside a known user-token',
    )
    t.equal(
      await statusWith({ authorization: 'Bearer token-admin', 'user-token': 'nobody' }),
      200,
      'a known bearer token is accepted beside an unknown user-token',
    )
  })
}

interface Parameter {
  readonly contract: Contract
  readonly part: 'query' | 'form'
  readonly name: string
  readonly schema: TSchema
  readonly required: boolean
}

const parameters: readonly Parameter[] = contracts.flatMap((contract: Contract) =>
  (['query', 'form'] as const).flatMap((part) =>
    Object.entries((contract[part]?.properties ?? {}) as Record<string, TSchema>).map(([name, schema]) => ({
      contract,
      part,
      name,
      schema,
      required: contract[part]?.required?.includes(name) ?? false,
    })),
  ),
)

const PLACES = { query: 'query parameter', form: 'form field' }

t.test('a required parameter that is left out is named in the invalid status', async (t) => {
  const server = await build(t)
  for (const { contract, part, name } of parameters.filter(({ required }) => required)) {
    const response = await send(server, contract, { [part]: { [name]: undefined } })
    const label = `${contract.id} without ${name}`
    const message = messageOf(response)
    t.equal(response.statusCode, contract.invalid, `${label}: the answer is ${contract.invalid}`)
    t.ok(
      message.startsWith(`The ${PLACES[part]} '${name}' is missing: send `),
      `${label}: the message says that it is missing`,
      { message },
    )
    t.match(
      lastExchange(server).violations,
      [{ code: 'missing-parameter', where: `${part}.${name}`, basis: 'documented', message: name }],
      `${label}: the journal names it`,
    )
  }
})

t.test('an optional parameter may be left out', async (t) => {
  const server = await build(t)
  for (const { contract, part, name } of parameters.filter(({ required }) => !required)) {
    const response = await send(server, contract, { [part]: { [name]: undefined } })
    t.equal(response.statusCode, 200, `${contract.id} without ${name}: the answer is 200`, { body: response.body })
    t.same(lastExchange(server).violations, [], `${contract.id} without ${name}: no violation is recorded`)
  }
})

/** A value that no parameter of a kind allows, and what its refusal lists. */
const invalid = (schema: TSchema): { readonly value: string; readonly lists: readonly string[] } | undefined => {
  if (isFile(schema)) return undefined
  if (Array.isArray(schema.enum)) return { value: 'nonsense', lists: schema.enum }
  if (schema.type === 'integer') return { value: 'nonsense', lists: ['a whole number (1 or more: I-06)'] }
  if (schema.format === 'email') return { value: 'nonsense', lists: ['an e-mail address such as'] }
  if (schema.format === 'uuid') return { value: 'nonsense', lists: ['a UUID such as'] }
  if (/admin/i.test(schema.description ?? '')) return { value: 'nonsense', lists: ['Admin', 'Member'] }
  if (schema.minLength > 0) return { value: '', lists: [' (not '] }
  return undefined
}

t.test('an invalid value is quoted, with its parameter and what is allowed, in the invalid status', async (t) => {
  const server = await build(t)
  for (const { contract, part, name, schema } of parameters) {
    const { value, lists } = invalid(schema) ?? {}
    if (value === undefined) continue
    const response = await send(server, contract, { [part]: { [name]: value } })
    const message = messageOf(response)
    const label = `${contract.id} with ${name}='${value}'`
    t.equal(response.statusCode, contract.invalid, `${label}: the answer is ${contract.invalid}`)
    t.match(message, `The ${PLACES[part]} '${name}' must be `, `${label}: the message names the ${PLACES[part]}`)
    t.match(message, value === '' ? ", not empty ('')" : `, not '${value}'.`, `${label}: the message quotes the value`)
    for (const one of lists ?? []) t.match(message, one, `${label}: the message offers ${one}`)
    t.match(
      lastExchange(server).violations,
      [{ code: /^(invalid|empty)-parameter$/, where: `${part}.${name}`, fix: /./ }],
      `${label}: the journal records a violation with a fix`,
    )
  }
})

t.test('a parameter that is sent twice is refused, even with the same value', async (t) => {
  const server = await build(t)
  for (const { contract, part, name, schema } of parameters) {
    const value = isFile(schema) ? fixtureFile('signature.png') : (schema.examples?.[0] as string)
    const response = await send(server, contract, { [part]: { [name]: [value, value] } })
    const label = `${contract.id} with ${name} twice`
    t.equal(response.statusCode, contract.invalid, `${label}: the answer is ${contract.invalid}`)
    t.match(
      messageOf(response),
      `The ${PLACES[part]} '${name}' was sent 2 times`,
      `${label}: the message counts the values`,
    )
    t.match(
      lastExchange(server).violations,
      [{ code: 'repeated-parameter', where: `${part}.${name}` }],
      `${label}: the journal records the repetition`,
    )
  }
})

t.test('everything that is wrong with a request is named at once', async (t) => {
  const server = await build(t)
  for (const contract of contracts as readonly Contract[]) {
    const own = parameters.filter((one) => one.contract === contract && invalid(one.schema) !== undefined)
    const wrong = (part: 'query' | 'form') =>
      Object.fromEntries(
        own.filter((one) => one.part === part).map(({ name, schema }) => [name, invalid(schema)?.value]),
      )
    const response = await send(server, contract, { query: wrong('query'), form: wrong('form') })
    t.equal(response.statusCode, contract.invalid, `${contract.id}: the answer is ${contract.invalid}`)
    for (const { name } of own) t.match(messageOf(response), `'${name}'`, `${contract.id}: the message names ${name}`)
    const { violations } = lastExchange(server)
    t.equal(violations.length, own.length, `${contract.id}: the journal holds one violation per invalid value`)
  }
})

t.test('path variables are checked too', async (t) => {
  const server = await build(t)
  const [link, update] = [contracts[6], contracts[1]] as [Contract, Contract]
  const cases: readonly (readonly [Contract, Changes, string])[] = [
    [link, { params: { uuid: 'nonsense' } }, "The path variable 'uuid' must be a UUID such as"],
    [link, { params: { uuid: '' } }, "The path variable 'uuid' must be a UUID such as"],
    [update, { params: { subOrgMemberId: '' } }, "The path variable 'subOrgMemberId' must be text"],
    [update, { params: { subOrganizationUuid: 'a\u0000b' } }, "not 'a\\u0000b'"],
  ]
  for (const [contract, changes, words] of cases) {
    const response = await send(server, contract, changes)
    const label = `${contract.id} with ${JSON.stringify(changes.params)}`
    t.equal(response.statusCode, 400, `${label}: the answer is 400`)
    t.match(messageOf(response), words, `${label}: the message explains the fault`)
    const [{ fix } = { fix: '' }] = lastExchange(server).violations
    t.notMatch(fix, /[{}]/, `${label}: the suggested path is complete`)
  }
})

t.test('a request fails at the first check it meets: 401, 403, then 400 or 422, then 404, then 409', async (t) => {
  const server = await build(t)
  const by = (id: OperationId) => contracts.find((contract) => contract.id === id) as Contract
  const [update, verify, search] = [
    by('updateSubOrganizationMember'),
    by('verifyDocument'),
    by('searchProtectedAttachments'),
  ]
  const [add, link, upload] = [by('addOrganizationMember'), by('createSigningLink'), by('uploadSignature')]
  const nobody = { authorization: 'Bearer nobody' }
  const member = { authorization: 'Bearer token-member' }
  const badRole = { form: { role: 'Owner' } }
  const noSuchMember = { params: { subOrgMemberId: '999' } }
  const noUserType = { query: { user_type: undefined } }
  const noPdf = { file: fileOf('plain text') }
  const isMember = { 'data[0][email]': 'li.jun@example.test' }
  const cases: readonly (readonly [string, number, Contract, Changes])[] = [
    [
      'no such token, no permission, bad role, no such member',
      401,
      update,
      { headers: nobody, ...badRole, ...noSuchMember },
    ],
    [
      'no permission, no user_type, bad role, no such member',
      403,
      update,
      { headers: member, ...noUserType, ...badRole, ...noSuchMember },
    ],
    ['bad role, no such member', 400, update, { ...badRole, ...noSuchMember }],
    ['no such token, no file', 401, upload, { headers: nobody, form: { file: undefined } }],
    ['no user_type, a file that is no image', 422, upload, { ...noUserType, form: noPdf }],
    ['a file that is no PDF, an unknown code', 400, verify, { form: { ...noPdf, code: 'DOC-1999-0001' } }],
    [
      'an unknown code, a damaged file',
      404,
      verify,
      { form: { file: fixtureFile('damaged.pdf'), code: 'DOC-1999-0001' } },
    ],
    [
      'no user_type, keywords that match nothing',
      400,
      search,
      { query: { user_type: undefined, 'keyword[sample_1]': 'x9' } },
    ],
    ['bad e-mail, no such project', 400, link, { params: { uuid: NOBODY }, query: { email: 'nobody' } }],
    ['bad role, already a member', 400, add, { form: { ...isMember, 'data[0][role]': 'Owner' } }],
    ['no such organization, already a member', 400, add, { form: { ...isMember, 'data[0][organization_id]': '77' } }],
  ]
  for (const [faults, status, contract, changes] of cases) {
    t.equal((await send(server, contract, changes)).statusCode, status, `${faults}: the answer is ${status}`)
  }
})
