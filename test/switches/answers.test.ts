import t from 'tap'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { adminOf, all, build, type Changes, fixtureFile, lastExchange, type Server } from '../helper.js'
import { answer, under } from './under.js'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

t.test('successStatus: operations 1 to 6 succeed with it, and 7 as the document says', async (t) => {
  const created = await under(t, { successStatus: 201 })
  for (const contract of all) {
    const wanted = contract.id === 'createSigningLink' ? 200 : 201
    t.match(await answer(created, contract), { status: wanted }, `${contract.id} succeeds with ${wanted}`)
    const { outcome, deviations } = await lastExchange(created)
    t.same({ outcome, deviations }, { outcome: `${contract.id}:${wanted}`, deviations: [] }, `${contract.id}: journal`)
  }
  const one = await under(t, { successStatus: { uploadSignature: 201 } })
  t.equal((await answer(one, api.uploadSignature)).status, 201, 'the operation that is named')
  t.equal((await answer(one, api.verifyDocument)).status, 200, 'another one')
})

t.test('errorBody: a name, a template, or either by operation', async (t) => {
  const refused = { headers: { authorization: undefined } }
  const template = { code: '{status}', info: ['E{status}: {message}', true], none: null }
  const wholly = await under(t, { errorBody: template })
  const flat = await under(t, { errorBody: 'flat' })
  const message = 'The user token is missing'
  for (const contract of all) {
    const { body } = await answer(wholly, contract, refused)
    if (contract.id === 'listCreditHistories') t.match(body, { error: { code: 401 } }, 'the shown one stays')
    else {
      t.match(body, { code: 401, info: [`E401: ${message}`, true], none: null }, `${contract.id} fills it in`)
      t.strictSame(Object.keys(body), Object.keys(template), `${contract.id} has nothing besides`)
      const forced = { headers: { prefer: 'code=401' } }
      for (const changes of [refused, forced])
        t.match((await answer(flat, contract, changes)).body, { status: 'error' }, `${contract.id} can be flat`)
      t.strictSame((await lastExchange(flat)).deviations, [], `${contract.id} has no deviation where it is flat`)
    }
  }
  const mixed = await under(t, { errorBody: { verifyDocument: 'flat', uploadSignature: template } })
  t.match((await answer(mixed, api.verifyDocument, refused)).body, { status: 'error', message }, 'one is flat')
  t.match((await answer(mixed, api.uploadSignature, refused)).body, { code: 401 }, 'one follows the template')
  t.match((await answer(mixed, api.createSigningLink, refused)).body, { error: { message } }, 'others are nested')
})

t.test('missingUserType: its status, where the user type is required, missing or another one', async (t) => {
  const requiring = all.filter(({ query }) => query.required?.includes('user_type'))
  t.equal(requiring.length, 5, 'five operations require it')
  for (const status of [undefined, 400, 401, 422] as const) {
    const server = await under(t, { missingUserType: status })
    for (const contract of requiring) {
      for (const user_type of [undefined, 'OTHER', '']) {
        const label = `${contract.id} with ${user_type} by ${status}`
        t.equal((await answer(server, contract, { query: { user_type } })).status, status ?? contract.invalid, label)
        const told = { violations: [{ where: 'query.user_type', basis: 'documented' }], deviations: [] }
        t.match(await lastExchange(server), told, label)
      }
    }
    const other = await answer(server, api.verifyDocument, { form: { user_uuid: 'x' } })
    t.equal(other.status, 400, 'other mistakes have the status of the operation')
  }
})

t.test('keywordMatch: all of the keywords, or one of them', async (t) => {
  const query = { 'keyword[sample_1]': 'car park', 'keyword[sample_2]': 'deposit', 'keyword[sample_3]': undefined }
  const strictly = await build(t)
  const loosely = await under(t, { keywordMatch: 'any' })
  t.equal((await answer(strictly, api.searchProtectedAttachments, { query })).status, 404, 'no document has both')
  const { body } = await answer(loosely, api.searchProtectedAttachments, { query })
  const names = body.data.map(({ name }: { name: string }) => name)
  t.strictSame(names, ['Lease contract, car park', 'Lease deposit'], 'each has one, in the order of their ids')
  const nothing = { ...query, 'keyword[sample_1]': 'zzz', 'keyword[sample_2]': 'yyy' }
  t.match(
    (await answer(loosely, api.searchProtectedAttachments, { query: nothing })).body.error.message,
    /'zzz' or 'yyy'/,
  )
})

t.test('emptyKeyword: invalid, or it limits nothing', async (t) => {
  const only = (first: string | undefined, second?: string) => ({
    query: { 'keyword[sample_1]': first, 'keyword[sample_2]': second, 'keyword[sample_3]': undefined },
  })
  const strictly = await build(t)
  const loosely = await under(t, { emptyKeyword: 'ignore' })
  const found = async (changes: Changes): Promise<{ id: number; project_uuid: string }[]> =>
    (await answer(loosely, api.searchProtectedAttachments, changes)).body.data
  const missing = { code: 'missing-parameter', basis: 'documented', cites: ['S4.2'] }
  const empty = { code: 'empty-parameter', basis: 'interpretation', cites: ['I-05'] }
  for (const [changes, violation] of [
    [only(''), missing],
    [only('  '), missing],
    [only('lease', ''), empty],
  ] as const) {
    const label = JSON.stringify(changes.query)
    t.equal((await answer(strictly, api.searchProtectedAttachments, changes)).status, 400, `${label}: it is invalid`)
    t.match((await lastExchange(strictly)).violations, [violation], `${label}: as the document has it`)
  }
  t.equal((await answer(loosely, api.searchProtectedAttachments, only(undefined))).status, 400, 'the first is required')
  const leases = await found(only('lease'))
  t.same(await found(only('lease', '')), leases, 'the other keyword counts')
  const ours = await found(only('  '))
  t.ok(ours.length > leases.length, 'all documents match where there is no other')
  const theirs = await found({ ...only(''), headers: { authorization: 'Bearer token-member' } })
  const shared = theirs.filter((one) => ours.some(({ project_uuid }) => project_uuid === one.project_uuid))
  t.ok(theirs.length > 0 && shared.length === 0, "never another user's")
})

t.test('unknownSort: invalid, or as if it were not sent', async (t) => {
  const strictly = await build(t)
  const loosely = await under(t, { unknownSort: 'ignore' })
  const listed = (sort: string | undefined, order?: string) =>
    answer(loosely, api.listCreditHistories, { query: { sort, order } })
  const refused = await answer(strictly, api.listCreditHistories, { query: { sort: 'nonsense' } })
  t.equal(refused.status, 400, 'it is invalid')
  const told = { violations: [{ basis: 'interpretation', cites: ['I-06'] }] }
  t.match(await lastExchange(strictly), told, 'by our interpretation')
  t.strictSame((await listed('nonsense')).body, (await listed(undefined)).body, 'the default order holds')
  t.notSame((await listed('amount', 'asc')).body, (await listed(undefined)).body, 'a known one sorts')
  t.equal((await listed('nonsense', 'up')).status, 400, 'not so the order')
})

t.test("unknownOrganization: an empty list, 400 or 404, and the same for another's organization", async (t) => {
  const nobody = { query: { organization_uuid: UNKNOWN } }
  const foreign = { headers: { authorization: 'Bearer token-other' } }
  const empty = await build(t)
  for (const changes of [nobody, { query: { organization_uuid: 'no uuid' } }, foreign]) {
    const none = { status: 200, body: { total: 0, histories: [] } }
    t.match(await answer(empty, api.listCreditHistories, changes), none, `an empty list: ${JSON.stringify(changes)}`)
  }
  for (const status of [400, 404] as const) {
    const server = await under(t, { unknownOrganization: status })
    const shown = { status, body: { error: { code: status, message: UNKNOWN } } }
    t.match(await answer(server, api.listCreditHistories, nobody), shown, `${status} has the body as shown`)
    const codes = (await lastExchange(server)).violations.map(({ code }) => code)
    t.same(codes, status === 400 ? ['unknown-organization'] : [], `${status}: what is not found is no violation`)
    t.equal((await answer(server, api.listCreditHistories, foreign)).status, status, `${status}: another's, too`)
    t.equal((await answer(server, api.listCreditHistories)).status, 200, `${status}: their own is listed`)
    const credits = { query: { organization_uuid: '4e7a1c93-5d28-4b0f-9e36-6f8d7c5b4a12' } }
    const newcomer = { ...credits, headers: { authorization: 'Bearer token-newcomer' } }
    t.match(await answer(server, api.listCreditHistories, newcomer), { body: { total: 0 } }, `${status}: none yet`)
  }
})

t.test('pendingInvitation and unknownInvitationOrganization: what an invitation may meet', async (t) => {
  const conflict = await under(t, { pendingInvitation: 'conflict' })
  t.equal((await answer(conflict, api.addOrganizationMember)).status, 200, 'the first invitation')
  const refused = { status: 409, body: { error: { message: /already been invited/ } } }
  t.match(await answer(conflict, api.addOrganizationMember), refused, 'a second one while it is pending')
  t.equal((await adminOf(conflict).mails()).length, 1, 'which sends no mail')
  const nowhere = { form: { 'data[0][organization_id]': '999' } }
  const strictly = await build(t)
  t.equal((await answer(strictly, api.addOrganizationMember, nowhere)).status, 400, 'an unknown one is invalid')
  t.match((await lastExchange(strictly)).violations, [{ code: 'unknown-organization' }], 'that is a violation')
  const server = await under(t, { unknownInvitationOrganization: 404 })
  t.match(await answer(server, api.addOrganizationMember, nowhere), { status: 404, body: { error: { code: 404 } } })
  t.strictSame((await lastExchange(server)).violations, [], 'which is no violation')
})

t.test("verifyScope: the owner's user_uuid, or anyone's", async (t) => {
  const strictly = await build(t)
  const loosely = await under(t, { verifyScope: 'anyone' })
  const byCode = { form: { file: undefined, user_uuid: UNKNOWN } }
  const byFile = { form: { code: undefined, user_uuid: UNKNOWN, file: fixtureFile('verified.pdf') } }
  for (const changes of [byCode, byFile, { form: { user_uuid: UNKNOWN } }]) {
    const label = Object.keys(changes.form).join(', ')
    t.equal((await answer(strictly, api.verifyDocument, changes)).status, 404, `${label}: it is not theirs`)
    const named = { status: 200, body: { document: { user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' } } }
    t.match(await answer(loosely, api.verifyDocument, changes), named, `${label}: whose it is does not matter`)
  }
  const disagreeing = { form: { code: 'DOC-2025-0004', file: fixtureFile('verified.pdf') } }
  t.equal((await answer(loosely, api.verifyDocument, disagreeing)).status, 422, 'file and code must agree')
})

t.test('emptyName: invalid, or as if it were not sent', async (t) => {
  const strictly = await build(t)
  const loosely = await under(t, { emptyName: 'absent' })
  const before = (await answer(loosely, api.updateSubOrganizationMember, { form: { role: undefined } })).body.data
  for (const name of ['first_name', 'last_name', 'role'] as const) {
    const changes = { form: { first_name: undefined, last_name: undefined, role: undefined, [name]: '' } }
    t.equal((await answer(strictly, api.updateSubOrganizationMember, changes)).status, 400, `${name} is invalid`)
    const { status, body } = await answer(loosely, api.updateSubOrganizationMember, changes)
    t.strictSame([status, body.data], [200, before], `${name} stays as it was`)
  }
})

t.test('emptyFields: an empty optional text is as if it were not sent, or invalid', async (t) => {
  const absent = await build(t)
  const invalid = await under(t, { emptyFields: 'invalid' })
  const cases: readonly (readonly [Contract, 'query' | 'form', string])[] = [
    [api.uploadSignature, 'form', 'source'],
    [api.uploadSignature, 'form', 'uuid'],
    [api.uploadSignature, 'form', 'type'],
    [api.verifyDocument, 'form', 'code'],
    [api.listCreditHistories, 'query', 'user_type'],
    [api.listCreditHistories, 'query', 'sort'],
    [api.listCreditHistories, 'query', 'order'],
  ]
  for (const [contract, part, name] of cases) {
    const sent = await answer(absent, contract, { [part]: { [name]: '' } })
    const left = await answer(absent, contract, { [part]: { [name]: undefined } })
    t.equal(sent.status, 200, `${name}: it is accepted`)
    if (contract.id === 'listCreditHistories') t.strictSame(sent.body, left.body, `${name}: as if it were not sent`)
    const { violations, request } = await lastExchange(absent)
    t.strictSame(violations, [], `${name}: it is no violation`)
    t.notOk(Object.hasOwn(Object(part === 'form' ? request.body : request.query), name), `${name}: absent`)
    t.equal((await answer(invalid, contract, { [part]: { [name]: '' } })).status, contract.invalid, `${name}: or not`)
    const [violation] = (await lastExchange(invalid)).violations
    t.match(violation, { code: 'empty-parameter', basis: 'interpretation', cites: ['I-20'] }, `${name}: by I-20`)
  }
  const neither = { form: { code: '', file: undefined } }
  t.match(await answer(absent, api.verifyDocument, neither), { status: 400 }, 'an empty code is none at all')
})

t.test('signingLinkBody: a template for the whole body', async (t) => {
  const data = { url: '{link}', to: ['for {email}', '{project_uuid}'], at: '{created_at}', n: 3, ok: true }
  const server = await under(t, { signingLinkBody: { data } })
  const { status, body } = await answer(server, api.createSigningLink)
  const url = /^http:\/\/.*\/sign\/[0-9a-f-]{36}$/
  const to = ['for grace@example.test', 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11']
  t.match({ status, body }, { status: 200, body: { data: { url, to, at: /^\d{4}-.*Z$/, n: 3, ok: true } } })
  t.strictSame(Object.keys(body), ['data'], 'there is nothing besides')
  t.strictSame((await lastExchange(server)).deviations, [], 'it has no deviation')
  const forced = await answer(server, api.createSigningLink, { headers: { prefer: 'code=200' } })
  t.match(forced.body, { data: { url: /^http:\/\/localhost:80\/sign\//, n: 3 } }, 'so has the sample')
  t.strictSame((await lastExchange(server)).deviations, [], 'which has none either')
})

t.test("permissionReach: what the caller's organization has, or what any has", async (t) => {
  const own = await build(t)
  const everywhere = await under(t, { permissionReach: 'everywhere' })
  const foreign = { headers: { authorization: 'Bearer token-other' } }
  const cases: readonly (readonly [contract: Contract, changes: Changes, refused: number])[] = [
    [api.updateSubOrganizationMember, {}, 403],
    [api.addOrganizationMember, { form: { 'data[0][email]': 'new@example.test' } }, 400],
    [api.createSigningLink, {}, 404],
  ]
  for (const [contract, changes, refused] of cases) {
    t.equal((await answer(own, contract, changes)).status, 200, `${contract.id}: its own organization's`)
    t.equal((await answer(own, contract, { ...changes, ...foreign })).status, refused, `${contract.id}: another's`)
    t.equal((await answer(everywhere, contract, { ...changes, ...foreign })).status, 200, `${contract.id}: all`)
  }
})

const ONE_KEYWORD = { 'keyword[sample_1]': 'lease', 'keyword[sample_2]': undefined, 'keyword[sample_3]': undefined }

t.test('attachmentStatus: the protected ones, or all', async (t) => {
  const statuses = async (server: Server) => {
    const { body } = await answer(server, api.searchProtectedAttachments, { query: ONE_KEYWORD })
    return new Set(body.data.map((one: { status: string }) => one.status))
  }
  t.strictSame(await statuses(await build(t)), new Set(['protected']), 'the protected ones')
  const all = await statuses(await under(t, { attachmentStatus: 'any' }))
  t.ok(all.has('protected') && all.size > 1, 'all', { all })
})
