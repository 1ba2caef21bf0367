import { listCreditHistories } from '../../schemas/index.js'
import type { CreditHistory } from '../../schemas/resources.js'
import type { Server } from '../../src/server/create-server.js'
import { type Changes, send } from '../helper.js'
import { asWritten, callableAsWritten, sendWritten } from './as-written.js'
import { type ChecksOf, stateOf, statusOf, typesOf } from './checks.js'

interface Page {
  readonly page: number
  readonly per_page: number
  readonly total: number
  readonly histories: readonly CreditHistory[]
}

/** A page of all records of an organization, unless the query says otherwise. */
async function list(server: Server, query: Changes['query'] = {}, token = 'token-admin'): Promise<Page> {
  const all = { page: 1, per_page: 100, user_type: undefined, sort: undefined, order: undefined }
  const changes = { query: { ...all, ...query }, headers: { authorization: `Bearer ${token}` } }
  return (await send(server, listCreditHistories, changes)).json()
}

/** A token of each organization. */
async function tokensOf(server: Server): Promise<ReadonlyMap<string, string>> {
  const { users, organizations } = await stateOf(server)
  return new Map(
    organizations.flatMap(({ id, uuid }) => {
      const user = users.find((one) => one.organization_id === id)
      return user === undefined ? [] : [[uuid, user.token]]
    }),
  )
}

const statusFor = (server: Server, query: Changes['query']) => statusOf(server, listCreditHistories, { query })
const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

const RECORD = {
  ...{ id: 'string', organization_uuid: 'string', type: 'string', currency: 'string', created_at: 'string' },
  ...{ user_type: 'string', details: { source: 'string', note: 'string' } },
}

export const listCreditHistoriesChecks: ChecksOf<'S5'> = {
  'S5.1': callableAsWritten('listCreditHistories'),

  'S5.2': async (server, t) => {
    for (const name of ['page', 'per_page'])
      for (const value of [undefined, 'two', '1.5'])
        t.equal(await statusFor(server, { [name]: value }), 400, `S5.2: ${name}=${value} is refused`)
    const all = idsOf((await list(server)).histories)
    for (const [page, per_page] of [
      [1, 5],
      [2, 5],
      [3, 7],
    ] as const)
      t.strictSame(
        idsOf((await list(server, { page, per_page })).histories),
        all.slice((page - 1) * per_page, page * per_page),
        `S5.2: page ${page} has the results of that page, ${per_page} per page`,
      )
  },

  'S5.3': async (server, t) => {
    t.equal(await statusFor(server, { organization_uuid: undefined }), 400, 'S5.3: without it the request is refused')
    const { credit_histories } = await stateOf(server)
    const organizations = new Set(credit_histories.map((one) => one.organization_uuid))
    const tokens = await tokensOf(server)
    t.ok(organizations.size > 1, 'S5.3: several organizations have a history')
    for (const uuid of organizations)
      t.strictSame(
        new Set(idsOf((await list(server, { organization_uuid: uuid }, tokens.get(uuid))).histories)),
        new Set(idsOf(credit_histories.filter((one) => one.organization_uuid === uuid))),
        `S5.3: the history of ${uuid} is read, and no other`,
      )
  },

  'S5.4': async (server, t) => {
    const { credit_histories } = await stateOf(server)
    const sortedBy = async (sort: string) =>
      idsOf((await list(server, { sort, order: 'asc' })).histories).map(
        (id) => (credit_histories.find((one) => one.id === id) as Record<string, unknown> | undefined)?.[sort],
      ) as string[]
    const fields = ['received_by', 'amount', 'created_at', 'type']
    for (const field of fields) {
      const values = (await sortedBy(field)).filter((value) => value !== undefined)
      t.ok(new Set(values).size > 1, `S5.4: ${field} takes several values`)
      const misplaced = values.filter((value, at) => at > 0 && (values[at - 1] as string) > value)
      t.same(misplaced, [], `S5.4: by ${field}`)
    }
    t.equal(await statusFor(server, { sort: undefined }), 200, 'S5.4: it may be left out')
  },

  'S5.5': async (server, t) => {
    const sorted = async (order: string) =>
      (await list(server, { sort: 'amount', order })).histories.map(({ amount }) => amount)
    const ascending = await sorted('asc')
    const inOrder = [...ascending].sort((a, b) => a - b)
    t.strictSame(ascending, inOrder, 'S5.5: asc is ascending')
    t.strictSame(await sorted('desc'), [...ascending].reverse(), 'S5.5: desc is descending')
    t.notSame(ascending, [...ascending].reverse(), 'S5.5: the two differ')
    for (const order of ['up', 'ASC']) t.equal(await statusFor(server, { order }), 400, `S5.5: '${order}' is refused`)
    t.equal(await statusFor(server, { order: undefined }), 200, 'S5.5: it may be left out')
  },

  'S5.6': async (server, t) => {
    const { histories, ...rest } = (await sendWritten(server, asWritten.listCreditHistories)).json()
    t.strictSame(typesOf(rest), { page: 'integer', per_page: 'integer', total: 'integer' }, 'S5.6: beside histories')
    t.ok(Array.isArray(histories) && histories.length > 0, 'S5.6: histories is an array of records')
    t.match(await list(server, { page: 2, per_page: 3 }), { page: 2, per_page: 3 }, 'S5.6: as asked for')
  },

  'S5.7': async (server, t) => {
    const { credit_histories } = await stateOf(server)
    const tokens = await tokensOf(server)
    for (const uuid of new Set(credit_histories.map((one) => one.organization_uuid))) {
      const { length } = credit_histories.filter((one) => one.organization_uuid === uuid)
      for (const page of [1, 2, 99])
        t.equal(
          (await list(server, { organization_uuid: uuid, page, per_page: 3 }, tokens.get(uuid))).total,
          length,
          `S5.7: total counts all records of ${uuid}, whatever is on page ${page}`,
        )
    }
  },

  'S5.8': async (server, t) => {
    const { histories } = await list(server)
    t.ok(histories.length > 0, 'S5.8: there are records to look at')
    for (const { amount, ...record } of histories) {
      t.type(amount, 'number', `S5.8: the amount of ${record.id} is a number`)
      t.strictSame(typesOf(record), RECORD, `S5.8: record ${record.id} has these fields`)
    }
  },

  'S5.9': async (server, t) => {
    const { histories } = await list(server)
    t.ok(histories.length > 0, 'S5.9: there are records to look at')
    for (const { id, currency } of histories) {
      t.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, `S5.9: ${id} has the form of a UUID`)
      t.match(currency, /^[A-Z]{3}$/, `S5.9: ${currency} is a currency code`)
    }
  },

  'S5.10': async (server, t) => {
    const kinds = new Set((await list(server)).histories.map(({ type }) => type))
    t.ok(kinds.has('purchase'), "S5.10: the value 'purchase' occurs")
    t.equal(kinds.size, 4, 'S5.10: there are purchases, allocations, returns and free credits', { kinds: [...kinds] })
    for (const kind of [/allocat/i, /return/i, /free/i])
      t.match([...kinds].join(), kind, `S5.10: one of the kinds is ${kind}`)
  },
}
