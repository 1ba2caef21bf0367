import { listCreditHistories } from '../../schemas/index.js'
import { SORT_FIELDS } from '../../schemas/list-credit-histories.js'
import type { CreditHistory } from '../../schemas/resources.js'
import { adminOf, type Changes, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type ChecksOf, documentedCalls, sendCall, statusOf, typesOf } from './checks.js'

interface Page {
  readonly page: number
  readonly per_page: number
  readonly total: number
  readonly histories: readonly CreditHistory[]
}

async function list(server: Server, query: Changes['query'] = {}, token = 'token-admin'): Promise<Page> {
  const defaults = { page: 1, per_page: 100, user_type: undefined, sort: undefined, order: undefined }
  const changes = { query: { ...defaults, ...query }, headers: { authorization: `Bearer ${token}` } }
  return (await send(server, listCreditHistories, changes)).json()
}

async function organizationsOf(server: Server) {
  const { users, organizations, credit_histories } = await adminOf(server).state()
  const histories = organizations.map(({ id, uuid }) => ({
    query: { organization_uuid: uuid },
    token: users.find(({ organization_id }) => organization_id === id)?.token,
    records: credit_histories.filter(({ organization_uuid }) => organization_uuid === uuid),
  }))
  return histories.filter(({ records }) => records.length > 0)
}

const statusFor = (server: Server, query: Changes['query']) => statusOf(server, listCreditHistories, { query })
type Value = string | number | undefined

/** Compares two values; a missing one is last in both orders. */
function compare(a: Value, b: Value, order: 'asc' | 'desc'): number {
  if (a === b) return 0
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1
  return a < b === (order === 'asc') ? -1 : 1
}

const idsOf = (records: readonly { readonly id: string }[]) => records.map(({ id }) => id)

const RECORD = {
  ...{ id: 'string', organization_uuid: 'string', type: 'string', currency: 'string', created_at: 'string' },
  ...{ user_type: 'string', details: { source: 'string', note: 'string' } },
}

export const listCreditHistoriesChecks: ChecksOf<'S5'> = {
  'S5.1': acceptsOnlyItsMethod('listCreditHistories'),

  'S5.2': async (server, t) => {
    for (const name of ['page', 'per_page'])
      for (const value of [undefined, 'two', '1.5'])
        t.equal(await statusFor(server, { [name]: value }), 400, `${name}=${value} is refused`)
    const all = idsOf((await list(server)).histories)
    for (const [page, per_page, first] of [[1, 5, 0] as const, [2, 5, 5] as const, [3, 7, 14] as const]) {
      const { histories } = await list(server, { page, per_page })
      t.strictSame(idsOf(histories), all.slice(first, first + per_page), `page ${page}, ${per_page} per page`)
    }
  },

  'S5.3': async (server, t) => {
    t.equal(await statusFor(server, { organization_uuid: undefined }), 400, 'a missing organization is refused')
    const organizations = await organizationsOf(server)
    t.ok(organizations.length > 1, 'several organizations have a history')
    for (const { query, token, records } of organizations) {
      const { histories } = await list(server, query, token)
      t.strictSame(idsOf(histories).sort(), idsOf(records).sort(), `the history of ${query.organization_uuid}`)
    }
  },

  'S5.4': async (server, t) => {
    const { organizations, credit_histories } = await adminOf(server).state()
    const records = credit_histories.filter((record) => record.organization_uuid === organizations[0]?.uuid)
    for (const field of ['received_by', 'amount', 'created_at', 'type'] as const)
      t.ok(new Set(records.map((record) => record[field])).size > 1, `${field} has several values`)
    for (const field of SORT_FIELDS) {
      for (const order of ['asc', 'desc'] as const) {
        const { histories } = await list(server, { sort: field, order })
        const expected = records.toSorted((a, b) => compare(a[field], b[field], order) || compare(a.id, b.id, 'asc'))
        t.strictSame(idsOf(histories), idsOf(expected), `by ${field} ${order}, then by id, missing values last`)
      }
    }
    t.equal(await statusFor(server, { sort: undefined }), 200, 'sort is optional')
  },

  'S5.5': async (server, t) => {
    const sorted = async (order: string) =>
      (await list(server, { sort: 'amount', order })).histories.map(({ amount }) => amount)
    const descending = await sorted('desc')
    t.notSame(await sorted('asc'), descending, 'asc and desc differ')
    t.equal(descending[0], Math.max(...descending), 'desc begins with the maximum')
    for (const order of ['up', 'ASC']) t.equal(await statusFor(server, { order }), 400, `'${order}' is refused`)
    t.equal(await statusFor(server, { order: undefined }), 200, 'order is optional')
  },

  'S5.6': async (server, t) => {
    const { histories, ...rest } = (await sendCall(server, documentedCalls.listCreditHistories)).json()
    t.strictSame(typesOf(rest), { page: 'integer', per_page: 'integer', total: 'integer' }, 'the other fields')
    t.ok(Array.isArray(histories) && histories.length > 0, 'histories is an array of records')
    t.match(await list(server, { page: 2, per_page: 3 }), { page: 2, per_page: 3 }, 'both as requested')
  },

  'S5.7': async (server, t) => {
    for (const { query, token, records } of await organizationsOf(server)) {
      for (const page of [1, 2, 99]) {
        const { total } = await list(server, { ...query, page, per_page: 3 }, token)
        t.equal(total, records.length, `total counts all records on page ${page}`)
      }
    }
  },

  'S5.8': async (server, t) => {
    for (const { amount, ...record } of (await list(server)).histories) {
      t.type(amount, 'number', `the amount of ${record.id} is a number`)
      t.strictSame(typesOf(record), RECORD, `record ${record.id} has these fields`)
    }
  },

  'S5.9': async (server, t) => {
    const { histories } = await list(server)
    const format = { id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, currency: /^[A-Z]{3}$/ }
    for (const record of histories) t.match(record, format, `${record.id} is a UUID, ${record.currency} a currency`)
  },

  'S5.10': async (server, t) => {
    const kinds = new Set((await list(server)).histories.map(({ type }) => type))
    t.strictSame(kinds, new Set(['purchase', 'allocation', 'return', 'free_credit']), 'all four types occur')
  },
}
