import { type listCreditHistories as contract, SORT_FIELDS } from '../../../schemas/list-credit-histories.js'
import { groupBy } from '../../engine/contract/group-by.js'
import { canAccessOrganization, firstOrganization, type Handling } from '../../engine/operation.js'
import type { Sandbox } from '../../engine/sandbox/sandbox.js'
import type { RecordOf } from '../records.js'

type History = RecordOf<'credit_histories'>
type SortField = 'received_by' | Exclude<keyof History, 'details'>

export const listCreditHistories: Handling<typeof contract> = {
  handle: (call, reply) => {
    const { query, sandbox, switches } = call
    const { page, per_page, user_type, order = 'desc' } = query
    const sort = SORT_FIELDS.find((field) => field === query.sort) ?? 'created_at'
    const uuid = query.organization_uuid.toLowerCase()
    const { state } = sandbox
    const organization = organizationBy(uuid, sandbox)
    if (organization === undefined || !canAccessOrganization(call, organization.id)) {
      const message = `You have no organization '${query.organization_uuid}'.`
      if (switches.unknownOrganization === 404) return reply(404, message)
      if (switches.unknownOrganization === 400)
        return reply(400, message, { code: 'unknown-organization', ...UNKNOWN_ORGANIZATION })
      return reply(200, { page, per_page, total: 0, histories: [] })
    }
    const byUserType = state
      .collection('credit_histories')
      .derive([uuid, sort, order], (all) => sortedByUserType(all, uuid, by(sort, order)))
    const sorted = byUserType.get(user_type) ?? []
    const start = (page - 1) * per_page
    const histories = sorted.slice(start, start + per_page).map((history) => asShown(history, sandbox))
    return reply(200, { page, per_page, total: sorted.length, histories })
  },
  examples: (sandbox) => ({ organization_uuid: firstOrganization(sandbox)?.uuid }),
  isUsable: ({ organization_uuid = '' }, caller) => {
    if (caller.switches.unknownOrganization !== 400) return true
    const organization = organizationBy(organization_uuid.toLowerCase(), caller.sandbox)
    return organization !== undefined && canAccessOrganization(caller, organization.id)
  },
}

function organizationBy(uuid: string, { state }: Sandbox) {
  return state.collection('organizations').lookUp(uuid)[0]
}

const UNKNOWN_ORGANIZATION = {
  where: 'query.organization_uuid',
  fix: 'Send the uuid of one of your organizations.',
  cites: ['I-06', 'I-21'],
} as const

/** An organization's, in an order; all of them under undefined. */
function sortedByUserType(all: readonly History[], uuid: string, order: ReturnType<typeof by>) {
  const sorted = all.filter((history) => history.organization_uuid.toLowerCase() === uuid).sort(order)
  return new Map<string | undefined, readonly History[]>([
    ...groupBy(sorted, ({ user_type }) => user_type),
    [undefined, sorted],
  ])
}

/** Ties by id, ascending; records without the field come last in both orders. */
function by(field: SortField, order: 'asc' | 'desc'): (a: History, b: History) => number {
  const sign = order === 'asc' ? 1 : -1
  return (a, b) => {
    const left = a[field]
    const right = b[field]
    if (left === right) return a.id < b.id ? -1 : 1
    if (left === undefined) return 1
    if (right === undefined) return -1
    return left < right ? -sign : sign
  }
}

function asShown({ received_by: _, ...shown }: History, sandbox: Sandbox): Omit<History, 'received_by'> {
  return { ...shown, created_at: sandbox.timestamp(shown.created_at) }
}
