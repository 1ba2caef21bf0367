import type { Contract } from '../../../../schemas/contract.js'
import type { Answer } from '../../calls/send.js'
import { judgeBody } from '../judge.js'
import { isSuccess, items, member, type Session, send } from '../session.js'

type Query = Readonly<Record<string, string>>

/** A page of a history; `change` is put over what the call says. */
export function page(session: Session, contract: Contract, change: Query = {}): Promise<Answer> {
  return send(session, contract, (complete) => ({ ...complete, query: { ...complete.query, ...change } }))
}

export interface Page {
  readonly page: unknown
  readonly perPage: unknown
  readonly total: number
  readonly histories: readonly unknown[]
}

export function pageOf({ body }: Answer): Page {
  const total = member(body, 'total')
  return {
    page: member(body, 'page'),
    perPage: member(body, 'per_page'),
    total: typeof total === 'number' ? total : Number.NaN,
    histories: items(member(body, 'histories')),
  }
}

export const idsOf = ({ histories }: Page) => histories.map((one) => member(one, 'id'))

/** Pages that are looked through to the end of a history. */
const MOST_PAGES = 30

/** Every page up to the end, or to a bound; the page that was asked for first is the first. */
export async function allPages(session: Session, contract: Contract): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let number = 1; number <= MOST_PAGES; number++) {
    const answer = await page(session, contract, { page: String(number) })
    if (!isSuccess(answer)) break
    judgeBody(session, answer)
    pages.push(pageOf(answer))
    const last = pages.at(-1) as Page
    if (last.histories.length === 0 || pages.flatMap(({ histories }) => histories).length >= last.total) break
  }
  return pages
}

export const allRecords = async (session: Session, contract: Contract) =>
  (await allPages(session, contract)).flatMap(({ histories }) => histories)

export const EMPTY = 'The list is empty. Name an organization that has records with --data FILE.'

/** Whether a value is text; what is none is told where the shape of a body is. */
export const isText = (value: unknown) => typeof value === 'string'

/** A text that should be another; what is no text is told already. */
export function isOther(value: unknown, wanted = ''): boolean {
  // UUIDs are the same in any letter case.
  return isText(value) && String(value).toLowerCase() !== wanted.toLowerCase()
}
