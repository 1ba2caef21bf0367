import t from 'tap'
import * as operations from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { build, type Changes, send } from '../helper.js'

const { listCreditHistories: list, updateSubOrganizationMember: update, verifyDocument: verify } = operations
const { createSigningLink: link, searchProtectedAttachments: search } = operations

const CLOCK = '2026-01-15T09:30:00Z'
const pageOf = (page: string, per_page: string, more = {}): Changes => ({
  query: { page, per_page, order: undefined, sort: undefined, user_type: undefined, ...more },
})
const [first, second, single] = [pageOf('1', '5'), pageOf('2', '2'), pageOf('2', '1')]
const ids = (...some: string[]) => ({ histories: some.map((id) => ({ id: new RegExp(`^${id}`) })) })
const only = (form: Changes['form']): Changes => ({
  form: { first_name: undefined, last_name: undefined, role: undefined, ...form },
})

const cases: readonly (readonly [contract: Contract, mutant: string, changes: Changes, answer: number | object])[] = [
  [list, '200/page/null', first, { page: null, per_page: 5 }],
  [list, '200/page/other-type', first, { page: '1' }],
  [list, '200/page/always-first-page', single, { page: 2, ...ids('f2c01822') }],
  [list, '200/per_page/not-as-sent', first, { per_page: 6 }],
  [list, '200/total/one-more', first, { total: 27 }],
  [list, '200/histories/left-out', first, { page: 1, per_page: 5, total: 26, histories: undefined }],
  [list, '200/histories/other-type', first, { histories: { 0: { id: String } } }],
  [list, '200/histories/empty-list', first, { total: 26, histories: { length: 0 } }],
  [list, '200/histories/last-gone', second, ids('b0c4d8e2')],
  [list, '200/histories/last-gone', single, ids('16e98978')],
  [list, '200/histories/reversed', second, ids('b0c4d8e2', '')],
  [list, '200/histories/reversed', pageOf('2', '2', { order: 'asc' }), ids('f631b5de', 'c6d72232')],
  [list, '200/histories.each.currency/other-type', single, { histories: [{ currency: 17 }] }],
  [
    list,
    '200/histories.each.details.note/left-out',
    second,
    { histories: [{ details: { source: 'support', note: undefined } }, { details: { note: undefined } }] },
  ],
  [
    list,
    '200/histories.each.organization_uuid/not-as-sent',
    single,
    { histories: [{ organization_uuid: '00000000-0000-4000-8000-000000000000' }] },
  ],
  [list, '200/answer/status-400', first, 400],
  [list, '400/answer/status-200', { query: { sort: 'nothing' } }, { page: 1, per_page: 10, total: 1 }],
  [
    list,
    '400/error.message/unnamed',
    { query: { per_page: '' } },
    { error: { message: /^The query parameter is empty \(''\), which counts as missing: / } },
  ],
  [search, '200/data.each.project_file_meta/other-form', {}, { data: { 0: { project_file_meta: '{not so' } } }],
  [
    update,
    '200/data/other-type',
    only({}),
    { data: '{"id":101,"first_name":"Zoë","last_name":"O\'Connor","role":"Member"}' },
  ],
  [update, '200/data.first_name/not-as-sent', only({ first_name: 'Ada' }), { data: { first_name: 'Ada-2' } }],
  [
    update,
    '200/data.first_name/not-as-sent',
    only({ last_name: 'Lee' }),
    { data: { first_name: 'Zoë', last_name: 'Lee' } },
  ],
  [update, '200/data.id/not-as-sent', only({}), { data: { id: 102 } }],
  [update, '200/data.role/other-value', only({ role: 'Admin' }), { data: { role: 'Member' } }],
  [verify, '200/status/other-value', {}, { status: 'not-verified' }],
  [verify, '422/answer/status-400', {}, { status: 'verified' }],
  [verify, '200/document.verified_at/local-time', {}, { document: { verified_at: '2026-01-15T11:30:00.000' } }],
  [link, '200/answer/without-link', {}, { project_uuid: String, email: String, link: undefined }],
]

t.test('each kind of mutant alters its answer as expected', async (t) => {
  const server = await build(t, { seed: '1', clock: CLOCK })
  for (const [nth, [contract, mutant, changes, expected]] of cases.entries()) {
    const prefer = `mutant=${contract.id}:${mutant}`
    const answer = await send(server, contract, { ...changes, headers: { prefer }, sandbox: `m${nth}` })
    if (typeof expected === 'number') t.equal(answer.statusCode, expected, prefer)
    else t.match(answer.json(), expected, prefer)
    t.equal(answer.headers['preference-applied'], prefer, prefer)
  }
})
