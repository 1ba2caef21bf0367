import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { bodySchema } from '../../schemas/bodies.js'
import { type Contract, isSuccess } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractUnder } from '../../schemas/contracts-under.js'
import {
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
} from '../../schemas/index.js'
import { SORT_FIELDS } from '../../schemas/list-credit-histories.js'
import { defaultReadings } from '../../schemas/readings.js'
import { Attachment, CreditHistory } from '../../schemas/resources.js'
import { checkOf } from '../../src/validation/check.js'
import { build, type Changes, fileOf, lastExchange, messageOf, send } from '../helper.js'

t.test('project search', async (t) => {
  const server = await build(t)
  /** The ids found, or the status. */
  const search = async ([first, second, third]: readonly (string | undefined)[], token = 'token-admin') => {
    const response = await send(server, searchProtectedAttachments, {
      query: { 'keyword[sample_1]': first, 'keyword[sample_2]': second, 'keyword[sample_3]': third },
      headers: { authorization: `Bearer ${token}` },
    })
    return response.statusCode === 200 ? response.json().data.map(({ id }: { id: number }) => id) : response.statusCode
  }

  t.test('finds what matches one, two and three keywords, in any order', async (t) => {
    t.equal((await search(['contract'])).length, 13, 'one keyword finds 13 documents')
    t.equal((await search(['contract', 'lease'])).length, 7, 'a second keyword narrows the result to 7')
    t.same(await search(['contract', 'lease', '2025']), [1, 2, 3, 16], 'a third keyword narrows it to 4')
    t.same(await search(['2025', 'contract', 'lease']), [1, 2, 3, 16], 'another order finds the same documents')
    t.same(
      await search(['2025', undefined, 'insurance']),
      404,
      'a document that lacks one of the keywords is not found',
    )
  })

  t.test('looks in name, file name, reference number, category and type, in any letter case', async (t) => {
    const cases: readonly (readonly [string, readonly number[]])[] = [
      ["owners' meeting", [10]],
      ['mv-zoë-2025.pdf', [15]],
      ['ref-2024-0014', [14]],
      ['INSURANCE', [9]],
      ['Minutes', [10]],
      ['ÆRØ', [14]],
      ['ВЛАДИМИР', [18]],
      ['租赁', [19]],
      ['عقد', [20]],
      [',', [2, 4, 10, 14, 15, 16, 18, 23, 24]],
    ]
    for (const [keyword, ids] of cases)
      t.same(await search([keyword]), ids, `'${keyword}' finds the documents that contain it`)
  })

  t.test('looks nowhere else, across no two fields, and for no patterns', async (t) => {
    const elsewhere = ['protected', 'a4e2f6d8', 'projects/']
    const across = ['contractlease', 'legalcontract']
    for (const keyword of [...elsewhere, ...across, '.*', '%', 'l[aeiou]ase', '\\w'])
      t.equal(await search([keyword]), 404, `'${keyword}' finds nothing`)
  })

  t.test("finds documents of the caller's projects only", async (t) => {
    t.same(await search(['contract'], 'token-member'), [26, 27, 30], 'token-member finds its own documents')
    t.same(await search(['contract'], 'token-other'), [32, 33], 'token-other finds its own documents')
    t.same(await search(['Remote work']), 404, 'token-admin does not find a document of another user')
  })

  t.test('shows the fields that the document shows, and no other', async (t) => {
    const response = await send(server, searchProtectedAttachments)
    for (const one of response.json().data)
      t.same(
        Object.keys(one).sort(),
        Object.keys(Attachment.properties).sort(),
        `document ${one.id} has exactly the documented fields`,
      )
  })

  t.test('refuses a fourth keyword, an unknown one and an empty one', async (t) => {
    for (const name of ['keyword[sample_4]', 'keyword[]', 'keyword[0]', 'keyword[sample_01]']) {
      const response = await send(server, searchProtectedAttachments, { query: { [name]: 'lease' } })
      t.equal(response.statusCode, 400, `${name}: the answer is 400`)
      t.match(messageOf(response), `'${name}' is not documented`, `${name}: the message says that it is not documented`)
      t.match(lastExchange(server).violations, [{ where: `query.${name}` }], `${name}: the journal records it`)
    }
    for (const nth of ['1', '2', '3']) {
      const response = await send(server, searchProtectedAttachments, { query: { [`keyword[sample_${nth}]`]: '' } })
      t.equal(response.statusCode, 400, `an empty keyword ${nth} is refused with 400`)
      t.match(
        messageOf(response),
        `'keyword[sample_${nth}]' must be text (not blank: I-05), not empty ('')`,
        `an empty keyword ${nth}: the message asks for text`,
      )
    }
  })

  t.test('takes brackets as they are or encoded', async (t) => {
    const url = `${searchProtectedAttachments.path}?user_type=ENTERPRISE_API&keyword[sample_1]=lease&keyword%5Bsample_2%5D=2025`
    const response = await server.app.inject({ url, headers: { authorization: 'Bearer token-admin' } })
    t.same(
      response.json().data.map(({ id }: { id: number }) => id),
      [1, 2, 3, 8, 16],
      'both keywords are read',
    )
  })
})

interface History {
  readonly id: string
  readonly type: string
  readonly user_type: string
  readonly created_at: string
  readonly [field: string]: unknown
}

interface Listed {
  readonly status: number
  readonly message: string
  readonly page: number
  readonly per_page: number
  readonly total: number
  readonly histories: readonly History[]
}

t.test('credit histories', async (t) => {
  const server = await build(t)
  const organization = listCreditHistories.query.properties.organization_uuid.examples[0]
  const seeded = [...server.worlds.root.state.collection('credit_histories').all()].filter(
    (record) => record.organization_uuid === organization,
  )
  const plain = { user_type: undefined, sort: undefined, order: undefined }
  const list = async (query: Changes['query']): Promise<Listed> => {
    const response = await send(server, listCreditHistories, { query: { ...plain, per_page: 100, ...query } })
    return { ...response.json(), status: response.statusCode, message: messageOf(response) }
  }
  const idsOf = ({ histories }: { histories: readonly History[] }) => histories.map(({ id }) => id)

  t.test('are cut into pages that overlap nowhere and miss nothing', async (t) => {
    const pages = await Promise.all([1, 2, 3].map((page) => list({ page, per_page: 10 })))
    t.same(
      pages.map(({ page, per_page, total, histories }) => [page, per_page, total, histories.length]),
      [
        [1, 10, 26, 10],
        [2, 10, 26, 10],
        [3, 10, 26, 6],
      ],
      'each page shows its number, its size and the total',
    )
    t.same(pages.flatMap(idsOf), idsOf(await list({ page: 1 })), 'the pages together are the whole list, in its order')
    t.equal(new Set(pages.flatMap(idsOf)).size, 26, 'no record is on two pages')
  })

  t.test('past the end are an empty list with the true total', async (t) => {
    for (const page of [4, 999_999_999_999_999])
      t.match(
        await list({ page, per_page: 10 }),
        { status: 200, page, total: 26, histories: [] },
        `page ${page} is answered with the true total`,
      )
    t.match(
      await list({ page: 1, per_page: 999_999_999_999_999 }),
      { status: 200, total: 26 },
      'a page of any size is allowed',
    )
  })

  t.test('of an unknown or an empty organization are an empty list', async (t) => {
    for (const uuid of ['00000000-0000-4000-8000-000000000000', 'no uuid', '4e7a1c93-5d28-4b0f-9e36-6f8d7c5b4a12']) {
      t.match(
        await list({ organization_uuid: uuid }),
        { status: 200, total: 0, histories: [] },
        `organization '${uuid}' has no histories`,
      )
    }
    t.equal((await list({ organization_uuid: organization.toUpperCase() })).total, 26, 'the UUID may be in upper case')
  })

  t.test('show every kind, with the fields that the document shows and no other', async (t) => {
    const { histories } = await list({})
    t.same(
      new Set(histories.map(({ type }) => type)),
      new Set(['purchase', 'allocation', 'return', 'free_credit']),
      'all four kinds are in the list',
    )
    for (const one of histories)
      t.same(
        Object.keys(one).sort(),
        Object.keys(CreditHistory.properties).sort(),
        `history ${one.id} has exactly the documented fields`,
      )
  })

  t.test('are filtered by user type', async (t) => {
    for (const user_type of ['ENTERPRISE', 'ENTERPRISE_API', 'NOBODY']) {
      const { total, histories } = await list({ user_type })
      t.equal(
        total,
        seeded.filter((record) => record.user_type === user_type).length,
        `${user_type}: the total counts the records of that type`,
      )
      t.ok(
        histories.every((record) => record.user_type === user_type),
        `${user_type}: every record is of that type`,
      )
    }
  })

  t.test('are newest first unless asked otherwise', async (t) => {
    t.same(
      idsOf(await list({})),
      idsOf(await list({ sort: 'created_at', order: 'desc' })),
      'without sort and order: by created_at, descending',
    )
    t.same(
      idsOf(await list({ order: 'asc' })),
      idsOf(await list({ sort: 'created_at', order: 'asc' })),
      'without sort: by created_at',
    )
    t.same(
      idsOf(await list({ sort: 'amount' })),
      idsOf(await list({ sort: 'amount', order: 'desc' })),
      'without order: descending',
    )
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
              : there === undefined || here < there === (order === 'asc')
          t.ok(
            fits && (here !== undefined || there === undefined),
            `record ${at + 1} may stand before record ${at + 2}`,
            { here, there },
          )
        }
      })
    }
  }

  t.test('take whole numbers from 1 to 9007199254740991, written plainly', async (t) => {
    const largest = String(Number.MAX_SAFE_INTEGER)
    for (const name of ['page', 'per_page']) {
      t.equal((await list({ [name]: largest })).status, 200, `${name}=${largest}: the largest number is accepted`)
    }
    const wrong = [
      '9007199254740992',
      '1e2',
      '0x10',
      '+1',
      '01',
      '-1',
      '-0',
      '0',
      '1.0',
      '1.5',
      ' 1',
      '1 ',
      '٣',
      '1_000',
      'NaN',
      '1n',
      '',
    ]
    for (const text of [...wrong, '9'.repeat(20)]) {
      for (const name of ['page', 'per_page']) {
        const { status, message } = await list({ [name]: text })
        t.equal(status, 400, `${name}='${text}': the answer is 400`)
        const limit = Number(text) > Number(largest) ? `up to ${largest} (I-06)` : '(1 or more: I-06)'
        t.match(
          message,
          `'${name}' must be a whole number ${limit}, not `,
          `${name}='${text}': the message says what is allowed`,
        )
      }
    }
  })

  t.test('refuse an unknown sort and an unknown order, and name those there are', async (t) => {
    for (const sort of ['details', 'created', 'AMOUNT', '__proto__', ' ']) {
      t.match(
        await list({ sort }),
        { status: 400, message: /'sort' must be one of received_by, id, / },
        `sort='${sort}' is refused, and the message lists the fields`,
      )
    }
    for (const order of ['ASC', 'down', ' ']) {
      t.match(
        await list({ order }),
        { status: 400, message: "'order' must be one of asc, desc" },
        `order='${order}' is refused, and the message lists both orders`,
      )
    }
  })
})

t.test(
  'user_type is required where the document lists it, filters histories, and is ignored for signing links',
  async (t) => {
    const server = await build(t)
    for (const contract of contracts as readonly Contract[]) {
      const required = contract.query.required?.includes('user_type')
      for (const user_type of [undefined, '', 'enterprise_api', 'ENTERPRISE']) {
        const { statusCode } = await send(server, contract, { query: { user_type } })
        const label = user_type === undefined ? 'no user_type' : `user_type='${user_type}'`
        const wanted = required ? contract.invalid : 200
        t.equal(statusCode, wanted, `${contract.id} with ${label}: the answer is ${wanted}`)
      }
    }
  },
)

t.test('unknown fields', async (t) => {
  const extra = { query: { usertype: 'x' }, form: { frist_name: 'Ada', toolong: fileOf('y') } }
  const withForm = (contracts as readonly Contract[]).filter(({ form }) => form !== undefined)

  t.test('are accepted, and recorded as violations with a suggestion', async (t) => {
    const server = await build(t)
    for (const contract of contracts as readonly Contract[]) {
      t.equal(
        (await send(server, contract, { query: { pag: '1' } })).statusCode,
        200,
        `${contract.id} with pag=1: the answer is 200`,
      )
      t.match(
        lastExchange(server).violations,
        [{ code: /^(unknown|misnamed)-parameter$/, where: 'query.pag', fix: /./ }],
        `${contract.id} with pag=1: the journal records it with a fix`,
      )
    }
    for (const contract of withForm) {
      t.equal(
        (await send(server, contract, extra)).statusCode,
        200,
        `${contract.id} with three unknown fields: the answer is 200`,
      )
      t.match(
        new Set(lastExchange(server).violations.map(({ where }) => where)),
        new Set(['query.usertype', 'form.frist_name', 'form.toolong']),
        `${contract.id}: the journal records each unknown field`,
      )
    }
    await send(server, updateSubOrganizationMember, extra)
    t.match(
      lastExchange(server).violations.find(({ where }) => where === 'form.frist_name'),
      { code: 'misnamed-field', message: "'first_name'" },
      'the violation of frist_name suggests first_name',
    )
  })

  t.test('change nothing that is stored', async (t) => {
    const server = await build(t)
    const { signature_id } = (
      await send(server, uploadSignature, { form: { id: 'x', user_uuid: 'x', size: '-1', other: 'x' } })
    ).json()
    const [signature] = server.worlds.root.state.collection('signatures').all()
    t.match(
      signature,
      {
        id: signature_id,
        user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31',
        source: 'drawing',
        size: Number,
      },
      'the stored signature has its own values, not those sent',
    )
    t.notOk('other' in (signature ?? {}), 'an unknown field is not stored')
  })

  t.test('are refused with --strict', async (t) => {
    const server = await build(t, { strict: true })
    for (const contract of contracts as readonly Contract[]) {
      t.equal((await send(server, contract)).statusCode, 200, `${contract.id} as documented: the answer is 200`)
      const response = await send(server, contract, { query: { pag: '1' } })
      t.equal(response.statusCode, contract.invalid, `${contract.id} with pag=1: the answer is ${contract.invalid}`)
      t.match(
        messageOf(response),
        "The query parameter 'pag' is not documented",
        `${contract.id}: the message names pag`,
      )
    }
    for (const contract of withForm) {
      t.equal(
        (await send(server, contract, { form: extra.form })).statusCode,
        contract.invalid,
        `${contract.id} with unknown form fields is refused`,
      )
    }
    t.equal(server.worlds.root.outbox.messages().length, 1, 'a refused invitation sends no mail')
  })
})

t.test('with errorBody: flat, errors are flat except where the document shows their body', async (t) => {
  const server = await build(t, { readings: { ...defaultReadings, errorBody: 'flat' } })
  for (const contract of contracts as readonly Contract[]) {
    const response = await send(server, contract, { headers: { authorization: undefined } })
    const failure = contract.responses[401]
    const shown = failure !== undefined && !isSuccess(failure) && failure.provenance === 'shown'
    t.match(
      response.json(),
      shown ? { error: { code: 401, message: String } } : { status: 'error', message: String },
      `${contract.id}: the 401 is ${shown ? 'as the document shows it' : 'flat'}`,
    )
    t.same(
      checkOf(bodySchema(contractUnder(contract, { ...defaultReadings, errorBody: 'flat' }), 401) as TSchema)(
        response.json(),
      ),
      [],
      `${contract.id}: the body fits its schema`,
    )
  }
})
