import type { listCreditHistories as contract } from '../../../schemas/list-credit-histories.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { timeOf, utcText } from '../../engine/contract/time.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { Handler } from '../handler-type.js'
import {
  type CreditHistoryRecord,
  canAccessOrganization,
  creditHistories,
  exampleOrganization,
  organizations,
} from '../records.js'

type SortField = 'received_by' | Exclude<keyof CreditHistoryRecord, 'details'>

export const listCreditHistories: Handler<typeof contract> = {
  handle: (call, reply) => {
    const { query, sandbox, switches } = call
    const { page, per_page, user_type, sort = 'created_at', order = 'desc' } = query
    const uuid = query.organization_uuid.toLowerCase()
    const organization = organizationBy(uuid, sandbox)
    if (organization === undefined || !canAccessOrganization(call, organization.id)) {
      const message = `You have no organization '${query.organization_uuid}'.`
      if (switches.unknownOrganization === 404) return reply(404, message)
      if (switches.unknownOrganization === 400)
        return reply(400, message, {
          code: 'unknown-organization',
          where: 'query.organization_uuid',
          fix: "Send the uuid of one of your organizations: 'GET /__admin/state' lists them.",
          cites: ['I-06#An unknown organization', 'I-21'],
        })
      return reply(200, { page, per_page, total: 0, histories: [] })
    }
    const byUserType = sandbox.state
      .collection(creditHistories)
      .memoize([uuid, sort, order], (all) => groupByUserType(all, uuid, sort, order))
    const sorted = byUserType.get(user_type) ?? []
    const start = (page - 1) * per_page
    const histories = sorted.slice(start, start + per_page)
    return reply(200, { page, per_page, total: sorted.length, histories })
  },
  examples: (sandbox) => ({ organization_uuid: exampleOrganization(sandbox)?.uuid }),
  canUseValues: ({ organization_uuid = '' }, caller) => {
    if (caller.switches.unknownOrganization !== 400) return true
    const organization = organizationBy(organization_uuid.toLowerCase(), caller.sandbox)
    return organization !== undefined && canAccessOrganization(caller, organization.id)
  },
}

function organizationBy(uuid: string, { state }: Sandbox) {
  return state.collection(organizations).findBy('uuid', uuid)[0]
}

/** The sorted histories of an organization by user type; all of them under `undefined`. */
function groupByUserType(all: readonly CreditHistoryRecord[], uuid: string, field: SortField, order: 'asc' | 'desc') {
  const ofOrganization = all.filter((history) => history.organization_uuid.toLowerCase() === uuid)
  const withKeys = ofOrganization.map((history) => ({ history, key: sortKey(history, field) }))
  const sorted = withKeys.sort(comparatorFor(order)).map(({ history }) => toBody(history))
  return new Map<string | undefined, readonly CreditHistoryRecord[]>([
    ...groupBy(sorted, ({ user_type }) => user_type),
    [undefined, sorted],
  ])
}

/** Times are compared as instants: their fractions may have different lengths. */
function sortKey(history: CreditHistoryRecord, field: SortField): string | number | undefined {
  return field === 'created_at' ? timeOf(history.created_at) : history[field]
}

/** Ties by id, ascending; records without the field come last in both orders. */
function comparatorFor(order: 'asc' | 'desc') {
  type WithKey = { readonly history: CreditHistoryRecord; readonly key: ReturnType<typeof sortKey> }
  const sign = order === 'asc' ? 1 : -1
  return ({ history: a, key: left }: WithKey, { history: b, key: right }: WithKey) => {
    if (left === right) return a.id < b.id ? -1 : 1
    if (left === undefined) return 1
    if (right === undefined) return -1
    return left < right ? -sign : sign
  }
}

/** Omits `received_by`, which the API document does not show. */
function toBody({ received_by: _, ...fields }: CreditHistoryRecord) {
  return { ...fields, created_at: utcText(fields.created_at) }
}
