import { successStatusOf } from '../../../../schemas/contract.js'
import type { Answer } from '../../calls/send.js'
import type { OperationChecks } from '../check.js'
import { judge } from '../judge.js'
import { isSuccess, member } from '../session.js'
import { EMPTY, idsOf, type Page, page, pageOf } from './page.js'

const UNSEEN = 'Sorting by received_by is accepted, but its effect could not be seen.'

const UNORDERED = 'No list is in order by created_at or amount, so the effect of order could not be seen.'

/** What the document says of sort and order. */
export const sorting: OperationChecks = [
  {
    cites: ['S5.4'],
    run: async (session, contract) => {
      const answer = await page(session, contract, { sort: 'received_by' })
      const plain = await page(session, contract, { order: 'asc' })
      const sorted = await page(session, contract, { order: 'asc', sort: 'received_by' })
      const call = 'A call with sort=received_by'
      if (!judge(session, answer, { status: successStatusOf(contract), cites: ['S5.4'], call, masked: UNSEEN })) return
      // The field is in no record: where the order is another one, it has had an effect.
      if (`${idsOf(pageOf(plain))}` !== `${idsOf(pageOf(sorted))}`) session.findings.holds(['S5.4'], contract.id)
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
      const inOrder: boolean[] = []
      for (const { sort, ...pages } of known.filter(({ sort }) => sort === 'created_at' || sort === 'amount')) {
        for (const [order, direction] of DIRECTIONS) {
          const values = pages[order].histories.map((one) => member(one, sort) as string | number)
          if (new Set(values).size < 2) continue
          inOrder.push(isSorted(values, direction))
          if (isSorted(values, direction === 1 ? -1 : 1))
            return session.findings.drifts({
              cites: ['S5.5'],
              operation: contract.id,
              where: `histories[*].${sort}`,
              message: `order=${order} with sort=${sort} gives ${direction === 1 ? 'a descending' : 'an ascending'} list.`,
            })
        }
      }
      const other = await page(session, contract, { order: 'countersign' })
      judge(session, other, {
        status: contract.invalid,
        cites: ['S5.5'],
        call: 'A call with order=countersign',
        otherwise: (status) => (status < 500 ? 'I-06' : undefined),
      })
      if (inOrder.length > 0 && !inOrder.includes(true)) session.findings.unchecked(['S5.5'], contract.id, UNORDERED)
      else session.findings.holds(['S5.5'], contract.id)
    },
  },
]

/** 1 ascends. */
const DIRECTIONS = [
  ['asc', 1],
  ['desc', -1],
] as const

function isSorted(values: readonly (string | number)[], direction: 1 | -1): boolean {
  return values.every((value, at) => {
    const before = values[at - 1]
    return before === undefined || before === value || (before < value ? 1 : -1) === direction
  })
}
