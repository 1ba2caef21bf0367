import type { RecordOf } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import type { listCreditHistories as contract } from '../../../schemas/list-credit-histories.js'
import type { SeededCollections } from '../../world/state/seeded-collections.js'
import type { Handler } from '../handler.js'

type History = RecordOf<'credit_histories'>
type Field = 'received_by' | Exclude<keyof History, 'details'>

export const listCreditHistories: Handler<typeof contract> = ({ query, world }, reply) => {
  const { page, per_page, user_type, sort = 'created_at', order = 'desc' } = query
  const { seeded } = world.state
  const list = ['credit histories', query.organization_uuid.toLowerCase(), user_type, sort, order]
  // The fixtures are frozen, so a page that was asked for is the same page the next time.
  const derive = () => {
    const sorted = seeded.view(
      JSON.stringify(list),
      () => sortedHistories(seeded, query.organization_uuid, user_type, sort, order),
      ({ length }) => BYTES_PER_POINTER * length,
    )
    const start = (page - 1) * per_page
    const histories = sorted.slice(start, start + per_page).map(asShown)
    return deepFreeze({ page, per_page, total: sorted.length, histories })
  }
  const weigh = ({ histories }: ReturnType<typeof derive>) => BYTES_PER_RECORD * (histories.length + 1)
  return reply(200, seeded.view(JSON.stringify([...list, page, per_page]), derive, weigh))
}

/** Roughly, with the text that is sent of it. */
const BYTES_PER_RECORD = 1_500
const BYTES_PER_POINTER = 8

function sortedHistories(
  seeded: SeededCollections,
  organizationUuid: string,
  userType: string | undefined,
  sort: Field,
  order: 'asc' | 'desc',
): History[] {
  return seeded
    .collection('credit_histories')
    .find('organization', organizationUuid.toLowerCase())
    .filter((history) => userType === undefined || history.user_type === userType)
    .sort(by(sort, order))
}

/** Ties by id, ascending; records without the field come last either way. */
function by(field: Field, order: 'asc' | 'desc'): (a: History, b: History) => number {
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

/** The record's fields as the document shows them: `received_by` sorts, but is not among them. */
function asShown({ received_by: _, ...shown }: History): Omit<History, 'received_by'> {
  return shown
}
