import type { Contract } from '../../../schemas/contract.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { quote } from '../../text/wording.js'
import { withoutParameter } from '../calls/call.js'
import type { Answer } from '../calls/send.js'
import type { OperationChecks } from './check.js'
import { judge, judgeBody } from './judge.js'
import { isSuccess, items, member, type Session, send } from './session.js'

type Query = Readonly<Record<string, string>>

/** A page of a history; `change` is put over what the call says. */
function page(session: Session, contract: Contract, change: Query = {}): Promise<Answer> {
  return send(session, contract, (complete) => ({ ...complete, query: { ...complete.query, ...change } }))
}

interface Page {
  readonly page: unknown
  readonly perPage: unknown
  readonly total: number
  readonly histories: readonly unknown[]
}

function pageOf({ body }: Answer): Page {
  const total = member(body, 'total')
  return {
    page: member(body, 'page'),
    perPage: member(body, 'per_page'),
    total: typeof total === 'number' ? total : Number.NaN,
    histories: items(member(body, 'histories')),
  }
}

const idsOf = ({ histories }: Page) => histories.map((one) => member(one, 'id'))

/** Pages that are looked through to the end of a history. */
const MOST_PAGES = 30

/** Every page up to the end, or to a bound; the page that was asked for first is the first. */
async function allPages(session: Session, contract: Contract): Promise<readonly Page[]> {
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

const allRecords = async (session: Session, contract: Contract) =>
  (await allPages(session, contract)).flatMap(({ histories }) => histories)

const EMPTY = 'The list is empty: name an organization that has records with --data FILE.'

/** What the document says of pages, totals, records, filters and orders. */
export const listCreditHistories: OperationChecks = [
  {
    cites: ['S5.2', 'S5.6'],
    run: async (session, contract) => {
      const own = session.values.complete(contract).query
      for (const [number, size] of [
        [own.page, own.per_page],
        ['2', '3'],
      ] as const) {
        const answer = await page(session, contract, { page: String(number), per_page: String(size) })
        if (!isSuccess(answer)) continue
        judgeBody(session, answer)
        const found = pageOf(answer)
        for (const [name, value, wanted] of [
          ['page', found.page, Number(number)],
          ['per_page', found.perPage, Number(size)],
        ] as const) {
          if (value === wanted || isCapped(name, found, wanted)) session.findings.holds(['S5.2', 'S5.6'], contract.id)
          else
            session.findings.drifts({
              cites: ['S5.2', 'S5.6'],
              operation: contract.id,
              where: name,
              message: `A call with ${name}=${wanted} is answered with ${name} ${quote(value)}.`,
            })
        }
        if (found.histories.length > Number(size))
          session.findings.drifts({
            cites: ['S5.2'],
            operation: contract.id,
            where: 'histories',
            message: `A page of ${size} results holds ${found.histories.length}.`,
          })
      }
    },
  },
  {
    cites: ['S5.2', 'S5.7'],
    run: async (session, contract) => {
      const first = pageOf(await page(session, contract, { page: '1', per_page: '3' }))
      const second = pageOf(await page(session, contract, { page: '2', per_page: '3' }))
      if (!(first.total > 3)) return session.findings.unchecked(['S5.2'], contract.id, EMPTY)
      const again = idsOf(second).filter((id) => idsOf(first).includes(id))
      if (again.length > 0)
        session.findings.drifts({
          cites: ['S5.2'],
          operation: contract.id,
          where: 'histories',
          message: `The second page repeats ${again.length} of the ${first.histories.length} records of the first one.`,
        })
      for (const [at, found] of [first, second].entries()) {
        const due = Math.max(0, Math.min(3, found.total - at * 3))
        if (found.histories.length === due) session.findings.holds(['S5.2', 'S5.7'], contract.id)
        else if (found.histories.length < due)
          session.findings.drifts({
            cites: ['S5.2', 'S5.7'],
            operation: contract.id,
            where: 'histories',
            message: `Page ${at + 1} of 3 results holds ${found.histories.length}, though the total is ${found.total}.`,
          })
      }
      if (first.total !== second.total)
        session.findings.drifts({
          cites: ['S5.7'],
          operation: contract.id,
          where: 'total',
          message: `The total is ${first.total} on the first page, and ${second.total} on the second one.`,
        })
    },
  },
  {
    cites: ['S5.7'],
    run: async (session, contract) => {
      const pages = await allPages(session, contract)
      const last = pages.at(-1)
      if (last === undefined || Number.isNaN(last.total)) return
      const count = pages.flatMap(({ histories }) => histories).length
      const isWhole = last.histories.length === 0 || count >= last.total
      if (!isWhole)
        return session.findings.unchecked(['S5.7'], contract.id, `Only ${count} of ${last.total} records were read.`)
      const beyond = pageOf(await page(session, contract, { page: String(pages.length + 1) })).histories.length
      if (count === last.total && beyond === 0) session.findings.holds(['S5.7'], contract.id)
      else
        session.findings.drifts({
          cites: ['S5.7'],
          operation: contract.id,
          where: 'total',
          message: `The total is ${last.total}, but all pages together hold ${beyond === 0 ? count : `at least ${count + beyond}`} records.`,
        })
    },
  },
  {
    cites: ['S5.3'],
    run: async (session, contract) => {
      const { organization_uuid: wanted } = session.values.complete(contract).query
      const records = await allRecords(session, contract)
      if (records.length === 0) return session.findings.unchecked(['S5.3'], contract.id, EMPTY)
      const others = records.filter((one) => isOther(member(one, 'organization_uuid'), wanted))
      if (others.length === 0) return session.findings.holds(['S5.3'], contract.id)
      session.findings.drifts({
        cites: ['S5.3'],
        operation: contract.id,
        where: 'histories[*].organization_uuid',
        message: 'It is not the organization that was asked for.',
        count: others.length,
        of: records.length,
      })
    },
  },
  {
    cites: ['S5.9'],
    run: async (session, contract) => {
      const records = await allRecords(session, contract)
      if (records.length === 0) return session.findings.unchecked(['S5.9'], contract.id, EMPTY)
      const ids = records.map((one) => member(one, 'id'))
      const twice = ids.length - new Set(ids).size
      if (twice > 0)
        session.findings.drifts({
          cites: ['S5.9', 'S5.2'],
          operation: contract.id,
          where: 'histories[*].id',
          message: 'Records have the same identifier.',
          count: twice,
          of: ids.length,
        })
      const odd = records.filter((one) => isText(member(one, 'currency')) && !isCurrency(member(one, 'currency')))
      if (odd.length === 0) return session.findings.holds(['S5.9'], contract.id)
      session.findings.drifts({
        cites: ['S5.9'],
        operation: contract.id,
        where: 'histories[*].currency',
        message: `It must be a currency code such as EUR, not ${quote(member(odd[0], 'currency'))}.`,
        count: odd.length,
        of: records.length,
      })
    },
  },
  {
    cites: ['S5.10'],
    run: async (session, contract) => {
      const records = await allRecords(session, contract)
      const kinds = new Set(records.map((one) => member(one, 'type')))
      if (kinds.has('purchase')) return session.findings.holds(['S5.10'], contract.id)
      const spelt = [...kinds].find((kind) => /^purchases?d?$/i.test(String(kind)))
      // All four kinds are there, and so the purchases must be, by another name.
      if (spelt === undefined && kinds.size < 4)
        return session.findings.unchecked(
          ['S5.10'],
          contract.id,
          records.length === 0 ? EMPTY : 'No record is a purchase.',
        )
      session.findings.drifts({
        cites: ['S5.10'],
        operation: contract.id,
        where: 'histories[*].type',
        message: `The value 'purchase' does not occur among ${quote([...kinds])}.`,
      })
    },
  },
  {
    cites: ['SU.3'],
    run: async (session, contract) => {
      const without = await send(session, contract, (complete) => withoutParameter(complete, 'user_type'))
      const all = await allRecords(session, contract)
      const types = [...new Set(all.map((one) => member(one, 'user_type')))].filter((one) => typeof one === 'string')
      const status = successStatusOf(contract)
      judge(session, without, { status, cites: ['SU.3'], call: "A call without 'user_type'" })
      for (const type of new Set(['ENTERPRISE_API', ...types.slice(0, 3), 'COUNTERSIGN'])) {
        const answer = await page(session, contract, { user_type: type })
        if (!isSuccess(answer)) {
          judge(session, answer, {
            status,
            cites: ['SU.3'],
            call: `A call with user_type=${type}`,
            otherwise: (other) => (other < 500 && !types.includes(type) ? 'I-04' : undefined),
          })
          continue
        }
        judgeBody(session, answer)
        const { histories } = pageOf(answer)
        const others = histories.filter((one) => isOther(member(one, 'user_type'), type))
        if (others.length === 0) session.findings.holds(['SU.3'], contract.id)
        else
          session.findings.drifts({
            cites: ['SU.3'],
            operation: contract.id,
            where: 'histories[*].user_type',
            message: `A call with user_type=${type} is answered with records of ${quote(member(others[0], 'user_type'))}.`,
            count: others.length,
            of: histories.length,
          })
      }
    },
  },
  {
    cites: ['S5.4'],
    run: async (session, contract) => {
      const answer = await page(session, contract, { sort: 'received_by' })
      judge(session, answer, {
        status: successStatusOf(contract),
        cites: ['S5.4'],
        call: 'A call with sort=received_by',
      })
    },
  },
  {
    cites: ['S5.5'],
    run: async (session, contract) => {
      const lists: { readonly sort: string; readonly asc: Page; readonly desc: Page }[] = []
      for (const sort of ['received_by', 'created_at', 'amount', '']) {
        const [asc, desc] = await Promise.all(
          ['asc', 'desc'].map((order) => page(session, contract, { ...(sort !== '' && { sort }), order })),
        )
        if (sort === 'received_by') {
          for (const [at, answer] of [asc, desc].entries())
            judge(session, answer as Answer, {
              status: successStatusOf(contract),
              cites: ['S5.5'],
              call: `A call with order=${at === 0 ? 'asc' : 'desc'}`,
            })
        }
        if (isSuccess(asc as Answer) && isSuccess(desc as Answer))
          lists.push({ sort, asc: pageOf(asc as Answer), desc: pageOf(desc as Answer) })
      }
      const known = lists.filter(({ asc, desc }) => asc.histories.length > 1 && desc.histories.length > 1)
      if (known.length === 0) return session.findings.unchecked(['S5.5'], contract.id, EMPTY)
      if (known.every(({ asc, desc }) => `${idsOf(asc)}` === `${idsOf(desc)}`))
        return session.findings.drifts({
          cites: ['S5.5'],
          operation: contract.id,
          where: 'histories',
          message: 'order=asc and order=desc give the same list.',
        })
      for (const { sort, asc, desc } of known.filter(({ sort }) => sort === 'created_at' || sort === 'amount')) {
        const [up, down] = [asc, desc].map(({ histories }) =>
          histories.map((one) => member(one, sort) as string | number),
        )
        if (isSorted(up as string[], -1) && isSorted(down as string[], 1) && new Set(up).size > 1)
          return session.findings.drifts({
            cites: ['S5.5'],
            operation: contract.id,
            where: `histories[*].${sort}`,
            message: `order=asc with sort=${sort} gives a descending list, and order=desc an ascending one.`,
          })
      }
      const other = await page(session, contract, { order: 'countersign' })
      judge(session, other, {
        status: contract.invalid,
        cites: ['S5.5'],
        call: 'A call with order=countersign',
        otherwise: (status) => (status < 500 ? 'I-06' : undefined),
      })
      session.findings.holds(['S5.5'], contract.id)
    },
  },
  {
    cites: ['SE.8', 'SE.7'],
    run: async (session, contract) => {
      for (const name of contract.query.required ?? []) {
        const answer = await send(session, contract, (complete) => withoutParameter(complete, name))
        const message = member(answer.body, 'error', 'message')
        if (isSuccess(answer) || typeof message !== 'string') continue
        if (message.includes(name)) session.findings.holds(['SE.8', 'SE.7'], contract.id)
        else
          session.findings.drifts({
            cites: ['SE.8'],
            operation: contract.id,
            where: 'error.message',
            message: `It must name the missing parameter '${name}', not say ${quote(message)}.`,
          })
      }
    },
  },
]

const isText = (value: unknown) => typeof value === 'string'

/** A text that should be another; what is no text is told already. */
const isOther = (value: unknown, wanted: string | undefined) => isText(value) && value !== wanted

/** The largest size of a page is not shown (S0.5): a service may give a smaller one, and say so. */
function isCapped(name: string, { perPage, histories }: Page, asked: number): boolean {
  return (
    name === 'per_page' && typeof perPage === 'number' && perPage < asked && perPage > 3 && histories.length <= perPage
  )
}

/** As ISO 4217 writes them, or as ledgers do. */
function isCurrency(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[A-Z]{3,5}|[a-z]{3}|\d{3})$/.test(value)
}

function isSorted(values: readonly (string | number)[], direction: 1 | -1): boolean {
  return values.every((value, at) => {
    const before = values[at - 1]
    return before === undefined || before === value || (before < value ? 1 : -1) === direction
  })
}
