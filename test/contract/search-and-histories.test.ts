import t from 'tap'
import * as api from '../../schemas/index.js'
import { adminOf, answerOf, build, type Changes, send } from '../helper.js'

const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const UUID = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'

t.test('the project search finds attachments by keyword', async (t) => {
  const server = await build(t)
  const search = async (keyword: string) => {
    const query = { 'keyword[sample_1]': keyword, 'keyword[sample_2]': undefined, 'keyword[sample_3]': undefined }
    const response = await send(server, api.searchProtectedAttachments, { query })
    return response.statusCode === 200 ? response.json().data.map(({ id }: { id: number }) => id) : response.statusCode
  }

  t.test('the search covers name, file name, reference number, category and type, in any letter case', async (t) => {
    const cases: readonly (readonly [string, readonly number[]])[] = [
      ["owners' meeting", [10]],
      ['mv-zoë-2025.pdf', [15]],
      ['ref-2024-0014', [14]],
      ['INSURANCE', [9]],
      ['Minutes', [10]],
      ['procurement', [15, 16, 17]],
      ['Invoice', [8, 23, 24]],
      ['ÆRØ', [14]],
      ['ВЛАДИМИР', [18]],
      ['租赁', [19]],
      ['عقد', [20]],
      [',', [2, 4, 10, 14, 15, 16, 18, 23, 24]],
    ]
    for (const [keyword, ids] of cases) t.same(await search(keyword), ids, `'${keyword}' finds its attachments`)
  })

  t.test('the search ignores other fields, text across two fields, and patterns', async (t) => {
    const elsewhere = ['protected', 'a4e2f6d8', 'projects/']
    const across = ['contractlease', 'legalcontract']
    for (const keyword of [...elsewhere, ...across, '.*', '%', 'l[aeiou]ase', '\\w'])
      t.equal(await search(keyword), 404, `'${keyword}' finds nothing`)
  })

  t.test('the search ignores letter case, the final sigma included, and the Unicode form', async (t) => {
    const [first] = (await adminOf(server).state()).attachments.filter(({ id }) => id === 10)
    const greek = { ...first, name: 'ΟΔΟΣΑ', category: 'οδός', file_name: 'Ame\u0301lie.pdf' }
    await adminOf(server).call('PATCH', 'state', { attachments: [greek] })
    for (const keyword of ['ΟΔΟΣ', 'ΌΣ', 'amélie']) t.same(await search(keyword), [10], keyword)
    t.equal(await search('\u0000'), 404, 'a NUL finds nothing')
  })
})

t.test('credit histories', async (t) => {
  const server = await build(t)
  const plain = { user_type: undefined, sort: undefined, order: undefined }
  const list = async (query: Changes['query']) => {
    const sent = { ...plain, per_page: 100, ...query }
    const { status, body } = answerOf(await send(server, api.listCreditHistories, { query: sent }))
    return { ...body, status, message: body.error?.message }
  }
  const idsOf = ({ histories }: { histories: readonly { id: string }[] }) => histories.map(({ id }) => id)

  t.test('a page past the end is an empty list with the true total', async (t) => {
    for (const page of [4, 999_999_999_999_999]) {
      const { status, total, histories } = await list({ page, per_page: 10 })
      t.same([status, total, histories], [200, 26, []], `page ${page}`)
    }
    t.match(await list({ page: 1, per_page: 999_999_999_999_999 }), { status: 200, total: 26 }, 'a page of any size')
  })

  t.test('credit histories are newest first, unless sort or order are sent', async (t) => {
    for (const [sent, same] of [
      [{}, { sort: 'created_at', order: 'desc' }],
      [{ order: 'asc' }, { sort: 'created_at', order: 'asc' }],
      [{ sort: 'amount' }, { sort: 'amount', order: 'desc' }],
    ] as const)
      t.same(idsOf(await list(sent)), idsOf(await list(same)), `${JSON.stringify(sent)} is ${JSON.stringify(same)}`)
  })

  t.test('credit histories are sorted by instant, with or without fractions of a second', async (t) => {
    const server = await build(t)
    const [one] = (await adminOf(server).state()).credit_histories
    const times = [
      '2030-01-01T00:00:00.250Z',
      '2030-01-01T00:00:00Z',
      '2030-01-01T00:00Z',
      '2030-01-01T02:00:00.5+02:00',
    ]
    const records = times.map((created_at, at) => ({
      ...one,
      id: `0b1f6a0e-6b1d-4a53-8f0e-0d1c2b3a4f5${at}`,
      created_at,
    }))
    await adminOf(server).call('PATCH', 'state', { credit_histories: records })
    const newest = await send(server, api.listCreditHistories, { query: { ...plain, page: 1, per_page: 4 } })
    const order = newest.json().histories.map(({ id }: { id: string }) => id.at(-1))
    t.strictSame(order, ['3', '0', '1', '2'], 'equal times are sorted by id')
    t.equal(newest.json().histories[0].created_at, '2030-01-01T00:00:00.500Z', 'in UTC')
  })

  t.test('page and per_page take whole numbers from 1 to 9007199254740991, in plain digits', async (t) => {
    const largest = String(Number.MAX_SAFE_INTEGER)
    const misspelt = ['1e2', '0x10', '+1', '01', '1.0', '1.5', ' 1', '1 ', '٣', '1_000', 'NaN', '1n']
    for (const name of ['page', 'per_page']) {
      t.equal((await list({ [name]: largest })).status, 200, `${name}=${largest}`)
      for (const text of [...misspelt, '0', '-0', '-1', '9007199254740992', '9'.repeat(20)]) {
        const invalid = { status: 400, message: `'${name}' must be a whole number (1 or more` }
        t.match(await list({ [name]: text }), invalid, `${name}='${text}'`)
      }
    }
  })
})

t.test('unknown fields do not change the stored record', async (t) => {
  const server = await build(t)
  const form = { id: 'x', user_uuid: 'x', size: '-1', other: 'x' }
  const { signature_id: id } = (await send(server, api.uploadSignature, { form })).json()
  const [signature] = (await adminOf(server).state()).signatures
  t.match(
    signature,
    { id, user_uuid: UUID, source: 'drawing', size: Number, other: undefined },
    'it has the server’s values',
  )
})

t.test('a UUID needs its hyphens and nothing more, in any letter case', async (t) => {
  const server = await build(t)
  const verify = async (user_uuid: string) =>
    answerOf(await send(server, api.verifyDocument, { form: { file: undefined, user_uuid } }))
  t.match(await verify(UUID.toUpperCase()), { status: 200 }, 'capitals are accepted')
  const query = { organization_uuid: ORGANIZATION.toUpperCase() }
  const { histories } = (await send(server, api.listCreditHistories, { query })).json()
  t.match(histories, [{ organization_uuid: ORGANIZATION }], 'the same organization')
  const uuid = api.createSigningLink.params.properties.uuid.examples[0].toUpperCase()
  t.equal((await send(server, api.createSigningLink, { params: { uuid } })).statusCode, 200, 'the same project')
  const invalid = { status: 400, body: { error: { message: "'user_uuid' must be a UUID" } } }
  for (const uuid of [`urn:uuid:${UUID}`, `{${UUID}}`, UUID.replaceAll('-', ''), `${UUID}0`])
    t.match(await verify(uuid), invalid, `${uuid} is invalid`)
})
