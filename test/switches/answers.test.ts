import t from 'tap'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { adminOf, all, build, type Changes, lastExchange } from '../helper.js'
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

t.test('errorBody takes a name, a template, or either by operation', async (t) => {
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

t.test('missingUserType sets the status if a required user_type is missing, empty or not ENTERPRISE_API', async (t) => {
  const requiring = all.filter(({ query }) => query.required?.includes('user_type'))
  t.equal(requiring.length, 5, 'five operations require it')
  for (const status of [undefined, 400, 401, 422] as const) {
    const server = await under(t, { missingUserType: status })
    for (const contract of requiring) {
      for (const user_type of [undefined, 'OTHER', '']) {
        const label = `${contract.id} with ${user_type} by ${status}`
        const given = await answer(server, contract, { query: { user_type } })
        t.equal(given.status, status ?? contract.invalidStatus, label)
        const reported = { violations: [{ where: 'query.user_type', basis: 'documented' }], deviations: [] }
        t.match(await lastExchange(server), reported, label)
      }
    }
    const other = await answer(server, api.verifyDocument, { form: { user_uuid: 'x' } })
    t.equal(other.status, 400, 'other mistakes have the status of the operation')
  }
})

t.test("unknownOrganization selects an empty list, 400 or 404, for another's organization, too", async (t) => {
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

t.test('signingLinkBody is a template for the whole body', async (t) => {
  const data = { url: '{link}', to: ['for {email}', '{project_uuid}'], at: '{created_at}', n: 3, ok: true }
  const server = await under(t, { signingLinkBody: { data } })
  const { status, body } = await answer(server, api.createSigningLink)
  const url = /^http:\/\/.*\/sign\/[0-9a-f-]{36}$/
  const to = ['for grace@example.test', 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11']
  t.match({ status, body }, { status: 200, body: { data: { url, to, at: /^\d{4}-.*Z$/, n: 3, ok: true } } })
  t.strictSame(Object.keys(body), ['data'], 'there is nothing besides')
  t.strictSame((await lastExchange(server)).deviations, [], 'it has no deviation')
  const forced = await answer(server, api.createSigningLink, { headers: { prefer: 'code=200' } })
  t.match(forced.body, { data: { url: /^http:\/\/localhost:80\/sign\//, n: 3 } }, 'the sample follows it, too')
  t.strictSame((await lastExchange(server)).deviations, [], 'which has none either')
})

t.test('pendingInvitation: conflict refuses a second invitation, and sends no mail', async (t) => {
  const conflict = await under(t, { pendingInvitation: 'conflict' })
  t.equal((await answer(conflict, api.addOrganizationMember)).status, 200, 'the first invitation')
  const refused = { status: 409, body: { error: { message: /already been invited/ } } }
  t.match(await answer(conflict, api.addOrganizationMember), refused, 'a second one while it is pending')
  t.equal((await adminOf(conflict).mails()).length, 1, 'which sends no mail')
})

t.test('interpretations without a switch apply', async (t) => {
  const server = await build(t)
  const keywords = (...[first, second]: readonly (string | undefined)[]): Changes => ({
    query: { 'keyword[sample_1]': first, 'keyword[sample_2]': second, 'keyword[sample_3]': undefined },
  })
  const foreign = { headers: { authorization: 'Bearer token-other' } }
  const cases: readonly (readonly [Contract, Changes, status: number])[] = [
    [api.searchProtectedAttachments, keywords('car park', 'deposit'), 404],
    [api.listCreditHistories, { query: { sort: '' } }, 200],
    [api.addOrganizationMember, { ...foreign, form: { 'data[0][email]': 'new@example.test' } }, 400],
    [api.verifyDocument, { form: { file: undefined, user_uuid: UNKNOWN } }, 404],
    [api.verifyDocument, { form: { code: '', file: undefined } }, 400],
    [api.uploadSignature, { form: { source: '', type: '' } }, 200],
    [api.createSigningLink, foreign, 404],
  ]
  for (const [contract, changes, status] of cases)
    t.equal((await answer(server, contract, changes)).status, status, `${contract.id} with ${JSON.stringify(changes)}`)
})
