import type { Cites } from '../../../schemas/cites.js'
import type { Answer } from '../client.js'
import { valueText } from '../interpretations/words.js'
import { isSuccess, items, member, type Operation } from '../session.js'
import type { Check } from './check.js'

interface Page {
  readonly page: unknown
  readonly perPage: unknown
  readonly total: number
  readonly records: readonly unknown[]
}

function pageOf({ body }: Answer): Page {
  const total = member(body, 'total')
  return {
    page: member(body, 'page'),
    perPage: member(body, 'per_page'),
    total: typeof total === 'number' ? total : Number.NaN,
    records: items(member(body, 'histories')),
  }
}

const idsOf = ({ records }: Page) => records.map((one) => member(one, 'id'))
const page = (on: Operation, query: Readonly<Record<string, string>>) => on.send({ query })

const MOST_PAGES = 30

/** Every page up to the end, or to a bound. */
async function allPages(on: Operation): Promise<readonly Page[]> {
  const pages: Page[] = []
  for (let number = 1; number <= MOST_PAGES; number++) {
    const answer = await page(on, { page: String(number) })
    if (!isSuccess(answer)) break
    on.judgeBody(answer)
    const { records, total } = pageOf(answer)
    pages.push(pageOf(answer))
    if (records.length === 0 || pages.flatMap((one) => one.records).length >= total) break
  }
  return pages
}

const EMPTY = 'The list is empty. Name an organization that has records with --data FILE.'

/** A check that looks at all records, where there are some. */
const ofRecords = (cites: Cites, look: (on: Operation, records: readonly unknown[]) => unknown): Check => ({
  cites,
  run: async (on) => {
    const records = (await allPages(on)).flatMap((one) => one.records)
    if (records.length === 0) on.unchecked(cites, EMPTY)
    else await look(on, records)
  },
})

/** A claim about each of some records, at one of their fields. */
function claimEach(
  on: Operation,
  field: string,
  records: readonly unknown[],
  isWrong: (value: unknown) => boolean,
  { cites, message }: { readonly cites: Cites; readonly message: string },
): void {
  const wrong = records.map((one) => member(one, field)).filter(isWrong)
  const counts = { count: wrong.length, of: records.length }
  on.claim(wrong.length === 0, { cites, where: `histories[*].${field}`, message, ...counts })
}

/** Whether a text is another one than it must be; UUIDs are the same in any letter case. */
const isOther =
  (wanted = '') =>
  (value: unknown) =>
    typeof value === 'string' && value.toLowerCase() !== wanted.toLowerCase()

/** As ISO 4217 writes currencies, or as ledgers do. */
const isNoCurrency = (value: unknown) => typeof value === 'string' && !/^(?:[A-Z]{3,5}|[a-z]{3}|\d{3})$/.test(value)

/** 1 ascends. */
function isSorted(values: readonly unknown[], direction: 1 | -1): boolean {
  return values.every((value, at) => {
    const before = values[at - 1] as number | undefined
    return before === undefined || before === value || (before < (value as number) ? 1 : -1) === direction
  })
}

const echoes: Check = {
  cites: ['S5.2', 'S5.6'],
  async run(on) {
    const { page: number = '1', per_page: size = '10' } = on.complete.query
    for (const sent of [
      { page: number, per_page: size },
      { page: '2', per_page: '3' },
    ]) {
      const answer = await page(on, sent)
      if (!isSuccess(answer)) continue
      on.judgeBody(answer)
      const { page: toldPage, perPage, records } = pageOf(answer)
      // The largest size is not shown (S0.5): a service may use a smaller one, and say so.
      const most = Number(sent.per_page)
      const isCapped = typeof perPage === 'number' && perPage > 0 && perPage < most && records.length <= perPage
      for (const [name, told, isSame] of [
        ['page', toldPage, toldPage === Number(sent.page)],
        ['per_page', perPage, perPage === most || isCapped],
      ] as const) {
        const message = `A call with ${name}=${sent[name]} is answered with ${name} ${valueText(told)}.`
        on.claim(isSame, { cites: this.cites, where: name, message })
      }
      const message = `A page of ${most} results contains ${records.length}.`
      on.claim(records.length <= most, { cites: ['S5.2'], where: 'histories', message })
    }
  },
}

const twoPages: Check = {
  cites: ['S5.2'],
  async run(on) {
    const [first, second] = [
      pageOf(await page(on, { page: '1', per_page: '3' })),
      pageOf(await page(on, { page: '2', per_page: '3' })),
    ]
    if (!(first.total > 3)) return on.unchecked(this.cites, EMPTY)
    const again = idsOf(second).filter((id) => idsOf(first).includes(id)).length
    const repeats = `The second page repeats ${again} of the ${first.records.length} records of the first one.`
    on.claim(again === 0, { cites: ['S5.2'], where: 'histories', message: repeats })
    const size = typeof first.perPage === 'number' && first.perPage < 3 ? first.perPage : 3
    for (const [at, { records, total }] of [first, second].entries()) {
      const due = Math.max(0, Math.min(size, total - at * size))
      const message = `Page ${at + 1} of ${size} results contains ${records.length}, although the total is ${total}.`
      on.claim(records.length >= due, { cites: ['S5.2', 'S5.7'], where: 'histories', message })
    }
    const message = `The total is ${first.total} on the first page, but ${second.total} on the second one.`
    return on.claim(first.total === second.total, { cites: ['S5.7'], where: 'total', message })
  },
}

const total: Check = {
  cites: ['S5.7'],
  async run(on) {
    const pages = await allPages(on)
    const { total, records = [] } = pages.at(-1) ?? {}
    if (total === undefined || Number.isNaN(total)) return
    const count = pages.flatMap((one) => one.records).length
    if (records.length > 0 && count < total)
      return on.unchecked(this.cites, `Only ${count} of ${total} records were read.`)
    const beyond = pageOf(await page(on, { page: String(pages.length + 1) })).records.length
    const message = `The total is ${total}, but all pages together contain ${beyond === 0 ? count : `at least ${count + beyond}`} records.`
    on.claim(count === total && beyond === 0, { cites: this.cites, where: 'total', message })
  },
}

const ofOrganization = ofRecords(['S5.3'], async (on, records) => {
  const { organization_uuid: wanted = '' } = on.complete.query
  const elsewhere = await page(on, { organization_uuid: on.session.values.unknownLike(wanted) })
  const strange = isSuccess(elsewhere) ? pageOf(elsewhere).records.length : 0
  const message = `The history of an organization that does not exist contains ${strange} records.`
  on.claim(strange === 0, { cites: ['S5.3'], where: 'histories', message })
  const other = 'It is not the organization that was requested.'
  claimEach(on, 'organization_uuid', records, isOther(wanted), { cites: ['S5.3'], message: other })
})

const identified = ofRecords(['S5.9'], (on, records) => {
  const ids = records.map((one) => member(one, 'id'))
  const counts = { count: ids.length - new Set(ids).size, of: ids.length }
  const message = 'Records have the same identifier.'
  on.claim(counts.count === 0, { cites: ['S5.9', 'S5.2'], where: 'histories[*].id', message, ...counts })
  const odd = valueText(records.map((one) => member(one, 'currency')).find(isNoCurrency))
  const currency = `It must be a currency code such as EUR, not ${odd}.`
  claimEach(on, 'currency', records, isNoCurrency, { cites: ['S5.9'], message: currency })
})

const purchases = ofRecords(['S5.10'], (on, records) => {
  const kinds = [...new Set(records.map((one) => member(one, 'type')))]
  const isThere = kinds.includes('purchase')
  // If all four kinds are there, purchases must be among them, by another name.
  if (!isThere && kinds.length < 4 && !kinds.some((kind) => /^purchases?d?$/i.test(String(kind))))
    return on.unchecked(['S5.10'], 'No record is a purchase.')
  const message = `The value 'purchase' does not occur among ${kinds.map(valueText).join(', ')}.`
  return on.claim(isThere, { cites: ['S5.10'], where: 'histories[*].type', message })
})

const filter: Check = {
  cites: ['SU.3'],
  async run(on) {
    const { cites } = this
    on.expect(await on.send({ query: { user_type: undefined } }), { cites, call: "A call without 'user_type'" })
    const records = (await allPages(on)).flatMap((one) => one.records)
    const types = [...new Set(records.map((one) => member(one, 'user_type')))].filter((one) => typeof one === 'string')
    for (const type of new Set(['ENTERPRISE_API', ...types.slice(0, 3), 'COUNTERSIGN'])) {
      const answer = await page(on, { user_type: type })
      const call = `A call with user_type=${type}`
      const otherwise = (status: number) => (status < 500 && !types.includes(type) ? ('I-04' as const) : undefined)
      if (!on.expect(answer, { cites, call, otherwise }) || !isSuccess(answer)) continue
      const message = `${call} is answered with records of another type.`
      claimEach(on, 'user_type', pageOf(answer).records, isOther(type), { cites, message })
    }
  },
}

const sort: Check = {
  cites: ['S5.4'],
  async run(on) {
    const [answer, plain, sorted] = [
      await page(on, { sort: 'received_by' }),
      await page(on, { order: 'asc' }),
      await page(on, { order: 'asc', sort: 'received_by' }),
    ]
    const masked = 'Sorting by received_by is accepted, but its effect could not be seen.'
    if (!on.expect(answer, { cites: this.cites, call: 'A call with sort=received_by', masked })) return
    // No record has the field; another order shows its effect.
    if (`${idsOf(pageOf(plain))}` !== `${idsOf(pageOf(sorted))}`) on.claim(true, { cites: this.cites })
  },
}

const order: Check = {
  cites: ['S5.5'],
  async run(on) {
    const { cites } = this
    const lists: { readonly sort: string; readonly order: 'asc' | 'desc'; readonly found: Page }[] = []
    for (const sort of ['received_by', 'created_at', 'amount', '']) {
      for (const order of ['asc', 'desc'] as const) {
        const answer = await page(on, sort === '' ? { order } : { sort, order })
        if (sort === 'received_by') on.expect(answer, { cites, call: `A call with order=${order}` })
        if (isSuccess(answer) && pageOf(answer).records.length > 1) lists.push({ sort, order, found: pageOf(answer) })
      }
    }
    if (lists.length === 0) return on.unchecked(cites, EMPTY)
    const ids = (wanted: 'asc' | 'desc') =>
      lists.filter(({ order }) => order === wanted).map(({ found }) => idsOf(found))
    const hasEffect = `${ids('asc')}` !== `${ids('desc')}`
    const same = 'order=asc and order=desc give the same list.'
    if (!hasEffect) return on.claim(false, { cites, where: 'histories', message: same })
    const inOrder: boolean[] = []
    for (const { sort, order, found } of lists.filter((one) => one.sort === 'created_at' || one.sort === 'amount')) {
      const values = found.records.map((one) => member(one, sort))
      if (new Set(values).size < 2) continue
      const direction = order === 'asc' ? 1 : -1
      inOrder.push(isSorted(values, direction))
      const message = `order=${order} with sort=${sort} gives ${direction === 1 ? 'a descending' : 'an ascending'} list.`
      const isReversed = isSorted(values, direction === 1 ? -1 : 1)
      if (isReversed) return on.claim(false, { cites, where: `histories[*].${sort}`, message })
    }
    const otherwise = (status: number) => (status < 500 ? ('I-06' as const) : undefined)
    const unknown = { status: on.contract.invalid, cites, call: 'A call with order=countersign', otherwise }
    on.expect(await page(on, { order: 'countersign' }), unknown)
    const unordered = 'No list is in order by created_at or amount, so the effect of order could not be seen.'
    return inOrder.length > 0 && !inOrder.includes(true) ? on.unchecked(cites, unordered) : on.claim(true, { cites })
  },
}

/** `The per page field is required.` names `per_page`. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

const namedParameters: Check = {
  cites: ['SE.8', 'SE.7'],
  async run(on) {
    for (const name of on.contract.query.required ?? []) {
      const answer = await on.send({ query: { [name]: undefined } })
      const said = member(answer.body, 'error', 'message')
      if (isSuccess(answer) || typeof said !== 'string') continue
      const message = `It must name the missing parameter '${name}', but does not.`
      on.claim(plain(said).includes(plain(name)), { cites: ['SE.8'], where: 'error.message', message })
    }
  },
}

export const listCreditHistories: readonly Check[] = [
  ...[echoes, twoPages, total, ofOrganization, identified, purchases, filter, sort, order, namedParameters],
]
