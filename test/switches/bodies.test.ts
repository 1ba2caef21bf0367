import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { build, type Changes, lastExchange } from '../helper.js'
import { answer, under } from './readings.js'

t.test('emptyFields: an empty optional text is as if it were not sent, or invalid', async (t) => {
  const absent = await build(t)
  const invalid = await under(t, { emptyFields: 'invalid' })
  const cases: readonly (readonly [Contract, 'query' | 'form', string])[] = [
    [uploadSignature, 'form', 'source'],
    [uploadSignature, 'form', 'uuid'],
    [uploadSignature, 'form', 'type'],
    [verifyDocument, 'form', 'code'],
    [listCreditHistories, 'query', 'user_type'],
    [listCreditHistories, 'query', 'sort'],
    [listCreditHistories, 'query', 'order'],
  ]
  for (const [contract, part, name] of cases) {
    const sent = await answer(absent, contract, { [part]: { [name]: '' } })
    const left = await answer(absent, contract, { [part]: { [name]: undefined } })
    t.equal(sent.status, 200, `${name}: it is accepted`)
    if (contract.id === 'listCreditHistories') t.strictSame(sent.body, left.body, `${name}: as if it were not sent`)
    t.strictSame(lastExchange(absent).violations, [], `${name}: it is no violation`)
    t.notOk(Object.hasOwn(lastExchange(absent)[part] ?? {}, name), `${name}: nor is it in the journal`)
    t.equal((await answer(invalid, contract, { [part]: { [name]: '' } })).status, contract.invalid, `${name}: or not`)
    const [violation] = lastExchange(invalid).violations
    t.match(violation, { code: 'empty-parameter', basis: 'reading', cites: ['I-20'] }, `${name}: by our reading`)
    t.equal((await answer(invalid, contract)).status, 200, `${name}: where it is filled in, all is well`)
  }
  const neither = { form: { code: '', file: undefined } }
  t.match(await answer(absent, verifyDocument, neither), { status: 400 }, 'an empty code is none at all')
  t.match(lastExchange(absent).violations, [{ cites: ['S3.4'] }], 'as the document has it')
  for (const name of ['data[0][first_name]', 'data[0][email]']) {
    const changes: Changes = { form: { [name]: '' } }
    t.equal((await answer(absent, addOrganizationMember, changes)).status, 400, `${name} is required, and not empty`)
  }
})

t.test('signingLinkBody: a template for the whole body', async (t) => {
  const data = { url: '{link}', to: ['for {email}', '{project_uuid}'], at: '{created_at}', n: 3, ok: true }
  const server = await under(t, { signingLinkBody: { data } })
  const { status, body } = await answer(server, createSigningLink)
  const url = /^http:\/\/.*\/sign\/[0-9a-f-]{36}$/
  const to = ['for grace@example.test', 'a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11']
  t.match({ status, body }, { status: 200, body: { data: { url, to, at: /^\d{4}-.*Z$/, n: 3, ok: true } } })
  t.strictSame(Object.keys(body), ['data'], 'there is nothing besides')
  t.strictSame(lastExchange(server).deviations, [], 'it has no deviation')
  const forced = await answer(server, createSigningLink, { headers: { prefer: 'code=200' } })
  t.match(forced.body, { data: { url: /^http:\/\/localhost:80\/sign\//, n: 3 } }, 'so has the sample')
  t.strictSame(lastExchange(server).deviations, [], 'which has none either')
})

t.test("permissionReach: what the caller's organization has, or what any has", async (t) => {
  const own = await build(t)
  const everywhere = await under(t, { permissionReach: 'everywhere' })
  const foreign = { headers: { authorization: 'Bearer token-other' } }
  const cases: readonly (readonly [contract: Contract, changes: Changes, refused: number])[] = [
    [updateSubOrganizationMember, {}, 403],
    [addOrganizationMember, { form: { 'data[0][email]': 'new@example.test' } }, 400],
    [createSigningLink, {}, 404],
  ]
  for (const [contract, changes, refused] of cases) {
    t.equal((await answer(own, contract, changes)).status, 200, `${contract.id}: its own organization's`)
    t.equal((await answer(own, contract, { ...changes, ...foreign })).status, refused, `${contract.id}: another's`)
    const { violations } = lastExchange(own)
    const others = violations.filter(({ basis }) => basis !== 'reading')
    t.same(others, [], `${contract.id}: no violation says more than the reading`)
    t.equal((await answer(everywhere, contract, { ...changes, ...foreign })).status, 200, `${contract.id}: all`)
  }
  const unknown = { ...foreign, params: { subOrganizationUuid: '00000000-0000-4000-8000-000000000000' } }
  t.equal((await answer(own, updateSubOrganizationMember, unknown)).status, 404, 'an unknown one is unknown')
})

const ONE_KEYWORD = { 'keyword[sample_1]': 'lease', 'keyword[sample_2]': undefined, 'keyword[sample_3]': undefined }

t.test('attachmentStatus: the protected ones, or all', async (t) => {
  const statuses = async (server: Server) => {
    const { body } = await answer(server, searchProtectedAttachments, { query: ONE_KEYWORD })
    return new Set(body.data.map((one: { status: string }) => one.status))
  }
  t.strictSame(await statuses(await build(t)), new Set(['protected']), 'the protected ones')
  const all = await statuses(await under(t, { attachmentStatus: 'any' }))
  t.ok(all.has('protected') && all.size > 1, 'all', { all })
})

t.test('successWords: the values of status and message', async (t) => {
  const successWords = { addOrganizationMember: { status: 'ok', message: 'Sent.' }, verifyDocument: { message: '' } }
  const server = await under(t, { successWords })
  t.strictSame((await answer(server, addOrganizationMember)).body, { status: 'ok', message: 'Sent.' }, 'both')
  t.match((await answer(server, verifyDocument)).body, { status: 'verified', message: '' }, 'one of them')
  t.match((await answer(server, uploadSignature)).body, { status: 'success' }, 'others are as they were')
  const forced = await answer(server, addOrganizationMember, { headers: { prefer: 'code=200' } })
  t.strictSame(forced.body, { status: 'ok', message: 'Sent.' }, 'so is the sample')
})

t.test('timestamps: with milliseconds or without, always in UTC', async (t) => {
  const forms = {
    milliseconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  }
  for (const [timestamps, form] of Object.entries(forms)) {
    const server = await under(t, { timestamps: timestamps as keyof typeof forms })
    for (const headers of [{}, { prefer: 'code=200' }]) {
      const label = `${timestamps} ${JSON.stringify(headers)}`
      t.match((await answer(server, verifyDocument, { headers })).body.document.verified_at, form, `${label}: verified`)
      t.match((await answer(server, createSigningLink, { headers })).body.created_at, form, `${label}: a signing link`)
      for (const { created_at } of (await answer(server, listCreditHistories, { headers })).body.histories)
        t.match(created_at, form, `${label}: a credit`)
    }
  }
})
