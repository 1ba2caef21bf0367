import t from 'tap'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { adminOf, build, type Changes, contracts, lastExchange } from '../helper.js'
import { answer, buildWith } from './build-with.js'

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

t.test('successStatus applies to operations 1 to 6; the API document sets the status of operation 7', async (t) => {
  const created = await buildWith(t, { successStatus: 201 })
  for (const contract of contracts) {
    const expected = contract.id === 'createSigningLink' ? 200 : 201
    t.match(await answer(created, contract), { status: expected }, `${contract.id} succeeds with ${expected}`)
    t.equal((await lastExchange(created)).outcome, `${contract.id}:${expected}`, contract.id)
  }
  const single = await buildWith(t, { successStatus: { uploadSignature: 201 } })
  t.equal((await answer(single, api.uploadSignature)).status, 201, 'the listed operation')
  t.equal((await answer(single, api.verifyDocument)).status, 200, 'another operation')
})

t.test('errorBody is a name or a template, for all or for single operations', async (t) => {
  const noToken = { headers: { authorization: undefined } }
  const template = { code: '{status}', info: ['E{status}: {message}', true], none: null }
  const templated = await buildWith(t, { errorBody: template })
  const flat = await buildWith(t, { errorBody: 'flat' })
  const message = 'The user token is missing'
  for (const contract of contracts) {
    const { body } = await answer(templated, contract, noToken)
    if (contract.id === 'listCreditHistories') t.match(body, { error: { code: 401 } }, 'the documented body stays')
    else {
      t.match(body, { code: 401, info: [`E401: ${message}`, true], none: null }, `${contract.id} fills in the template`)
      t.strictSame(Object.keys(body), Object.keys(template), `${contract.id} has no other keys`)
      const forced = { headers: { prefer: 'code=401' } }
      for (const changes of [noToken, forced])
        t.match((await answer(flat, contract, changes)).body, { status: 'error' }, `${contract.id} can be flat`)
    }
  }
  const mixed = await buildWith(t, { errorBody: { verifyDocument: 'flat', uploadSignature: template } })
  t.match((await answer(mixed, api.verifyDocument, noToken)).body, { status: 'error', message }, 'a flat body')
  t.match((await answer(mixed, api.uploadSignature, noToken)).body, { code: 401 }, 'a template')
  t.match((await answer(mixed, api.createSigningLink, noToken)).body, { error: { message } }, 'others stay nested')
})

t.test('missingUserType sets the status if a required user_type is missing, empty or not ENTERPRISE_API', async (t) => {
  const requiring = contracts.filter(({ query }) => query.required?.includes('user_type'))
  t.equal(requiring.length, 5, 'five operations require it')
  for (const status of [undefined, 400, 401, 422] as const) {
    const server = await buildWith(t, { missingUserType: status })
    for (const contract of requiring) {
      for (const user_type of [undefined, 'OTHER', '']) {
        const label = `${contract.id} with ${user_type} by ${status}`
        const response = await answer(server, contract, { query: { user_type } })
        t.equal(response.status, status ?? contract.invalidStatus, label)
        const reported = { violations: [{ where: 'query.user_type', basis: 'documented' }] }
        t.match(await lastExchange(server), reported, label)
      }
    }
    const other = await answer(server, api.verifyDocument, { form: { user_uuid: 'x' } })
    t.equal(other.status, 400, 'other mistakes have the status of the operation')
  }
})

t.test("unknownOrganization selects an empty list, 400 or 404, also for another user's organization", async (t) => {
  const unknown = { query: { organization_uuid: UNKNOWN } }
  const foreign = { headers: { authorization: 'Bearer token-other' } }
  const empty = await build(t)
  for (const changes of [unknown, { query: { organization_uuid: 'no uuid' } }, foreign]) {
    const emptyList = { status: 200, body: { total: 0, histories: [] } }
    t.match(await answer(empty, api.listCreditHistories, changes), emptyList, JSON.stringify(changes))
  }
  for (const status of [400, 404] as const) {
    const server = await buildWith(t, { unknownOrganization: status })
    const shown = { status, body: { error: { code: status, message: UNKNOWN } } }
    t.match(await answer(server, api.listCreditHistories, unknown), shown, `${status} has the documented body`)
    const codes = (await lastExchange(server)).violations.map(({ code }) => code)
    t.same(codes, status === 400 ? ['unknown-organization'] : [], `${status}: a 404 is not a violation`)
    t.equal((await answer(server, api.listCreditHistories, foreign)).status, status, `${status}: another user's`)
    t.equal((await answer(server, api.listCreditHistories)).status, 200, `${status}: the user's own`)
    const credits = { query: { organization_uuid: '4e7a1c93-5d28-4b0f-9e36-6f8d7c5b4a12' } }
    const newcomer = { ...credits, headers: { authorization: 'Bearer token-newcomer' } }
    t.match(await answer(server, api.listCreditHistories, newcomer), { body: { total: 0 } }, `${status}: none yet`)
  }
})

t.test('signingLinkBody is a template for the whole body', async (t) => {
  const data = { url: '{link}', to: ['for {email}', '{project_uuid}'], at: '{created_at}', n: 3, ok: true }
  const server = await buildWith(t, { signingLinkBody: { data } })
  const { status, body } = await answer(server, api.createSigningLink)
  const url = /^http:\/\/.*\/sign\/[0-9a-f-]{36}$/
  const to = ['for grace@example.test', 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11']
  t.match({ status, body }, { status: 200, body: { data: { url, to, at: /^\d{4}-.*Z$/, n: 3, ok: true } } })
  t.strictSame(Object.keys(body), ['data'], 'it has no other keys')
  const forced = await answer(server, api.createSigningLink, { headers: { prefer: 'code=200' } })
  t.match(forced.body, { data: { url: /^http:\/\/localhost:80\/sign\//, n: 3 } }, 'the sample follows the template')
})

t.test('pendingInvitation: conflict answers a second invitation with 409, and sends no mail', async (t) => {
  const conflict = await buildWith(t, { pendingInvitation: 'conflict' })
  t.equal((await answer(conflict, api.addOrganizationMember)).status, 200, 'the first invitation')
  const second = { status: 409, body: { error: { message: /already been invited/ } } }
  t.match(await answer(conflict, api.addOrganizationMember), second, 'a second one while it is pending')
  t.equal((await adminOf(conflict).mails()).length, 1, 'only the first sends a mail')
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
