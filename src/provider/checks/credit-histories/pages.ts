import { valueText } from '../../shape.js'
import type { OperationChecks } from '../check.js'
import { judgeBody } from '../judge.js'
import { isSuccess } from '../session.js'
import { allPages, EMPTY, idsOf, type Page, page, pageOf } from './page.js'

/** What the document says of pages, their sizes and the total. */
export const pages: OperationChecks = [
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
              message: `A call with ${name}=${wanted} is answered with ${name} ${valueText(value)}.`,
            })
        }
        if (found.histories.length > Number(size))
          session.findings.drifts({
            cites: ['S5.2'],
            operation: contract.id,
            where: 'histories',
            message: `A page of ${size} results contains ${found.histories.length}.`,
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
        // The largest size is not shown (S0.5): the one that is told holds.
        const size = typeof first.perPage === 'number' && first.perPage < 3 ? first.perPage : 3
        const due = Math.max(0, Math.min(size, found.total - at * size))
        if (found.histories.length === due) session.findings.holds(['S5.2', 'S5.7'], contract.id)
        else if (found.histories.length < due)
          session.findings.drifts({
            cites: ['S5.2', 'S5.7'],
            operation: contract.id,
            where: 'histories',
            message: `Page ${at + 1} of ${size} results contains ${found.histories.length}, although the total is ${found.total}.`,
          })
      }
      if (first.total !== second.total)
        session.findings.drifts({
          cites: ['S5.7'],
          operation: contract.id,
          where: 'total',
          message: `The total is ${first.total} on the first page, but ${second.total} on the second one.`,
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
          message: `The total is ${last.total}, but all pages together contain ${beyond === 0 ? count : `at least ${count + beyond}`} records.`,
        })
    },
  },
]

/** The largest size of a page is not shown (S0.5): a service may give a smaller one, and say so. */
function isCapped(name: string, { perPage, histories }: Page, asked: number): boolean {
  return (
    name === 'per_page' && typeof perPage === 'number' && perPage > 0 && perPage < asked && histories.length <= perPage
  )
}
