import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { bodySchema } from '../../schemas/bodies.js'
import { isSuccess } from '../../schemas/contract.js'
import { contractUnder } from '../../schemas/contracts-under.js'
import {
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
} from '../../schemas/index.js'
import { SORT_FIELDS } from '../../schemas/list-credit-histories.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { checkOf } from '../../src/validation/check.js'
import { all, answerOf, build, type Changes, fileOf, lastExchange, messageOf, send } from '../helper.js'

t.test('project search', async (t) => {
  const server = await build(t)
  /** The ids found, or the status. */
  const search = async ([first, second, third]: readonly (string | undefined)[]) => {
    const query = { 'keyword[sample_1]': first, 'keyword[sample_2]': second, 'keyword[sample_3]': third }
    const response = await send(server, searchProtectedAttachments, { query })
    return response.statusCode === 200 ? response.json().data.map(({ id }: { id: number }) => id) : response.statusCode
  }

  t.test('finds what matches one, two and three keywords, in any order', async (t) => {
    t.equal((await search(['contract'])).length, 13, 'one keyword finds 13 documents')
    t.equal((await search(['contract', 'lease'])).length, 7, 'a second keyword narrows the result to 7')
    t.same(await search(['contract', 'lease', '2025']), [1, 2, 3, 16], 'a third keyword narrows it to 4')
    t.same(await search(['2025', 'contract', 'lease']), [1, 2, 3, 16], 'another order finds the same documents')
    t.same(await search(['2025', undefined, 'insurance']), 404, 'what lacks one of the keywords is not found')
  })

  t.test('looks in name, file name, reference number, category and type, in any letter case', async (t) => {
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
    for (const [keyword, ids] of cases) t.same(await search([keyword]), ids, `'${keyword}' finds what contains it`)
  })

  t.test('looks nowhere else, across no two fields, and for no patterns', async (t) => {
    const elsewhere = ['protected', 'a4e2f6d8', 'projects/']
    const across = ['contractlease', 'legalcontract']
    for (const keyword of [...elsewhere, ...across, '.*', '%', 'l[aeiou]ase', '\\w'])
      t.equal(await search([keyword]), 404, `'${keyword}' finds nothing`)
  })

  t.test('refuses a fourth keyword and an unknown one', async (t) => {
    for (const name of ['keyword[sample_4]', 'keyword[]', 'keyword[0]', 'keyword[sample_01]']) {
      const response = await send(server, searchProtectedAttachments, { query: { [name]: 'lease' } })
      t.match([response.statusCode, messageOf(response)], [400, `'${name}' is not documented`], name)
      t.match(lastExchange(server).violations, [{ where: `query.${name}` }], `${name}: the journal records it`)
    }
  })
})

t.test('credit histories', async (t) => {
  const server = await build(t)
  const organization = listCreditHistories.query.properties.organization_uuid.examples[0]
  const seeded = [...server.worlds.root.state.collection('credit_histories').all()].filter(
    (record) => record.organization_uuid === organization,
  )
  const plain = { user_type: undefined, sort: undefined, order: undefined }
  const list = async (query: Changes['query']) => {
    const sent = { ...plain, per_page: 100, ...query }
    const { status, body } = answerOf(await send(server, listCreditHistories, { query: sent }))
    return { ...body, status, message: body.error?.message }
  }
  const idsOf = ({ histories }: { histories: readonly { id: string }[] }) => histories.map(({ id }) => id)

  t.test('past the end are an empty list with the true total', async (t) => {
    for (const page of [4, 999_999_999_999_999]) {
      const { status, total, histories } = await list({ page, per_page: 10 })
      t.same([status, total, histories], [200, 26, []], `page ${page}`)
    }
    t.match(await list({ page: 1, per_page: 999_999_999_999_999 }), { status: 200, total: 26 }, 'a page of any size')
  })

  t.test('of an unknown or an empty organization are an empty list', async (t) => {
    for (const uuid of ['00000000-0000-4000-8000-000000000000', 'no uuid', '4e7a1c93-5d28-4b0f-9e36-6f8d7c5b4a12']) {
      const { status, total, histories } = await list({ organization_uuid: uuid })
      t.same([status, total, histories], [200, 0, []], `organization '${uuid}' has none`)
    }
    t.match(await list({ organization_uuid: organization.toUpperCase() }), { total: 26 }, 'the UUID in upper case')
  })

  t.test('are of four kinds', async (t) => {
    const kinds = new Set((await list({})).histories.map(({ type }: { type: string }) => type))
    t.same(kinds, new Set(['purchase', 'allocation', 'return', 'free_credit']))
  })

  t.test('are filtered by user type', async (t) => {
    for (const user_type of ['ENTERPRISE', 'ENTERPRISE_API', 'NOBODY']) {
      const wanted = seeded.filter((record) => record.user_type === user_type).map(({ id }) => id)
      t.same(new Set(idsOf(await list({ user_type }))), new Set(wanted), user_type)
    }
  })

  t.test('are newest first unless asked otherwise', async (t) => {
    for (const [sent, meant] of [
      [{}, { sort: 'created_at', order: 'desc' }],
      [{ order: 'asc' }, { sort: 'created_at', order: 'asc' }],
      [{ sort: 'amount' }, { sort: 'amount', order: 'desc' }],
    ] as const)
      t.same(idsOf(await list(sent)), idsOf(await list(meant)), `${JSON.stringify(sent)} is ${JSON.stringify(meant)}`)
  })

  for (const field of SORT_FIELDS) {
    for (const order of ['asc', 'desc'] as const) {
      t.test(`are sorted by ${field} ${order}, ties by id, those without the field last`, async (t) => {
        const ids = idsOf(await list({ sort: field, order }))
        const records = ids.map((id) => seeded.find((record) => record.id === id) as Record<string, unknown>)
        t.equal(ids.length, 26, 'no record is left out')
        for (const [at, next] of records.slice(1).entries()) {
          const [here, there] = [records[at]?.[field], next[field]] as [string, string]
          const fits =
            here === there
              ? String(records[at]?.id) < String(next.id)
              : there === undefined || (here !== undefined && here < there === (order === 'asc'))
          t.ok(fits, `record ${at + 1} may stand before the next`, { here, there })
        }
      })
    }
  }

  t.test('take whole numbers from 1 to 9007199254740991, written plainly', async (t) => {
    const largest = String(Number.MAX_SAFE_INTEGER)
    const spelled = ['1e2', '0x10', '+1', '01', '1.0', '1.5', ' 1', '1 ', '٣', '1_000', 'NaN', '1n', '']
    for (const name of ['page', 'per_page']) {
      t.equal((await list({ [name]: largest })).status, 200, `${name}=${largest}`)
      for (const text of [...spelled, '0', '-0', '-1', '9007199254740992', '9'.repeat(20)]) {
        const limit = Number(text) > Number(largest) ? `up to ${largest} (I-06)` : '(1 or more: I-06)'
        const refused = { status: 400, message: `'${name}' must be a whole number ${limit}, not ` }
        t.match(await list({ [name]: text }), refused, `${name}='${text}'`)
      }
    }
  })

  t.test('refuse an unknown sort and an unknown order, and name those there are', async (t) => {
    for (const sort of ['details', 'created', 'AMOUNT', '__proto__', ' '])
      t.match(await list({ sort }), { status: 400, message: /'sort' must be one of received_by, id, / }, sort)
    for (const order of ['ASC', 'down', ' '])
      t.match(await list({ order }), { status: 400, message: "'order' must be one of asc, desc" }, order)
  })
})

t.test('unknown fields', async (t) => {
  const extra = { query: { usertype: 'x' }, form: { frist_name: 'Ada', toolong: fileOf('y') } }
  const withForm = all.filter(({ form }) => form !== undefined)

  t.test('are accepted, and recorded as violations with a suggestion', async (t) => {
    const server = await build(t)
    for (const contract of all) {
      t.equal((await send(server, contract, { query: { pag: '1' } })).statusCode, 200, `${contract.id} with pag=1`)
      const unknown = { code: /^(unknown|misnamed)-parameter$/, where: 'query.pag', fix: /./ }
      t.match(lastExchange(server).violations, [unknown], `${contract.id}: the journal has it`)
    }
    for (const contract of withForm) {
      t.equal((await send(server, contract, extra)).statusCode, 200, `${contract.id} with three unknown fields`)
      const places = lastExchange(server).violations.map(({ where }) => where)
      const wanted = ['form.frist_name', 'form.toolong', 'query.usertype']
      t.same(places.toSorted(), wanted, `${contract.id}: the journal has each`)
    }
    await send(server, updateSubOrganizationMember, extra)
    const misnamed = { where: 'form.frist_name', code: 'misnamed-field', message: "'first_name'" }
    const found = lastExchange(server).violations.find(({ where }) => where === misnamed.where)
    t.match(found, misnamed, 'first_name is suggested')
  })

  t.test('change nothing that is stored', async (t) => {
    const server = await build(t)
    const form = { id: 'x', user_uuid: 'x', size: '-1', other: 'x' }
    const { signature_id: id } = (await send(server, uploadSignature, { form })).json()
    const [signature] = server.worlds.root.state.collection('signatures').all()
    const user_uuid = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
    t.match(signature, { id, user_uuid, source: 'drawing', size: Number, other: undefined }, 'it has its own values')
  })

  t.test('are refused with --strict', async (t) => {
    const server = await build(t, { strict: true })
    for (const contract of all) {
      t.equal((await send(server, contract)).statusCode, 200, `${contract.id} as documented`)
      const { status, body } = answerOf(await send(server, contract, { query: { pag: '1' } }))
      const message = "The query parameter 'pag' is not documented"
      t.match([status, body], [contract.invalid, { error: { message } }], `${contract.id} with pag=1`)
    }
    for (const contract of withForm) {
      const { statusCode } = await send(server, contract, { form: extra.form })
      t.equal(statusCode, contract.invalid, `${contract.id} with unknown form fields`)
    }
    t.equal(server.worlds.root.outbox.messages().length, 1, 'a refused invitation sends no mail')
  })
})

t.test('with errorBody: flat, errors are flat except where the document shows their body', async (t) => {
  const readings: Readings = { ...defaultReadings, errorBody: 'flat' }
  const server = await build(t, { readings })
  for (const contract of all) {
    const { body } = answerOf(await send(server, contract, { headers: { authorization: undefined } }))
    const failure = contract.responses[401]
    const shown = failure !== undefined && !isSuccess(failure) && failure.provenance === 'shown'
    const wanted = shown ? { error: { code: 401, message: String } } : { status: 'error', message: String }
    t.match(body, wanted, `${contract.id}: the 401 is ${shown ? 'as the document shows it' : 'flat'}`)
    const check = checkOf(bodySchema(contractUnder(contract, readings), 401) as TSchema)
    t.same(check(body), [], `${contract.id}: the body fits its schema`)
  }
})
