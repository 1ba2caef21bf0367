import type { Cites } from '../../engine/contract/cites.js'
import { valueText } from '../../tools/verify/interpretations/shapes.js'
import {
  CLIENT_ERRORS,
  check,
  items,
  member,
  type OperationCheck,
  type OperationKnowledge,
  type TestedOperation,
} from '../../tools/verify/tested-operation.js'

const hasList = (body: unknown) => Array.isArray(member(body, 'histories'))
const recordsIn = (body: unknown) => items(body, 'histories')
const idsIn = (body: unknown) => recordsIn(body).map((one) => member(one, 'id'))

const MOST_PAGES = 30
const EMPTY = 'The list is empty. Name an organization that has records with --data FILE.'

const TOO_SHORT = 'Both orders are accepted, but the list is too short to show them.'

async function pagesOf(on: TestedOperation, size = on.complete.query.per_page ?? '10'): Promise<readonly unknown[]> {
  const pages: unknown[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await on.send({ query: { page: String(page), per_page: size } })
    if (!answer.ok) break
    pages.push(answer.body)
    const count = pages.flatMap(recordsIn).length
    if (recordsIn(answer.body).length === 0 || count >= Number(member(answer.body, 'total'))) break
  }
  return pages
}

const ofRecords = (cites: Cites, look: (on: TestedOperation, records: readonly unknown[]) => unknown): OperationCheck =>
  check(cites, async (on) => {
    const records = (await pagesOf(on)).flatMap(recordsIn)
    return records.length === 0 ? on.unchecked(EMPTY) : look(on, records)
  })

function claimTexts(on: TestedOperation, records: readonly unknown[], field: string, right: RegExp, message: string) {
  const wrong = records.map((one) => member(one, field)).filter((text) => typeof text === 'string' && !right.test(text))
  on.claim(wrong.length === 0, `histories[*].${field}`, message, { count: wrong.length, of: records.length })
}

const alike = (text: string) => new RegExp(`^${text.replaceAll(/\W/g, '\\$&')}$`, 'i')

/** The largest size is not shown (S0.5), so the provider may use a smaller one. */
function comparePage(on: TestedOperation, body: unknown, page: number, size: number, total: number): void {
  const [shown, perPage, { length }] = [member(body, 'page'), member(body, 'per_page'), recordsIn(body)]
  const isCapped = typeof perPage === 'number' && perPage > 0 && perPage < size && length <= perPage
  const used = isCapped ? perPage : size
  const cites: Cites = ['S5.2', 'S5.6']
  on.claim(shown === page, 'page', `It must be ${page}, as sent, not ${valueText(shown)}.`, { cites })
  on.claim(perPage === used, 'per_page', `It must be ${size}, as sent, not ${valueText(perPage)}.`, { cites })
  on.claim(length <= size, 'histories', `A page of ${size} results contains ${length}.`, { cites: ['S5.2'] })
  const message = `Page ${page} of ${size} results contains ${length}, although the total is ${total}.`
  const isFull = length >= Math.min(used, total - (page - 1) * used)
  on.claim(isFull, 'histories', message, { cites: ['S5.2', 'S5.7'] })
}

async function readPages(on: TestedOperation, size: number): Promise<void> {
  const pages = await pagesOf(on, String(size))
  const [total, ...others] = new Set(pages.map((body) => member(body, 'total')))
  if (typeof total !== 'number' || !pages.every(hasList)) return
  if (total === 0) return on.unchecked(EMPTY)
  const cites: Cites = ['S5.7']
  on.claim(others.length === 0, 'total', `The total is ${total} on the first page, but not on all others.`, { cites })
  for (const [at, body] of pages.entries()) comparePage(on, body, at + 1, size, total)
  const ids = pages.flatMap(idsIn)
  const areDistinct = ids.length === new Set(ids).size
  const again = 'Records occur again, or have the same identifier.'
  on.claim(areDistinct, 'histories[*].id', again, { cites: ['S5.9', 'S5.2'] })
  if (idsIn(pages.at(-1)).length > 0 && ids.length < total)
    return on.unchecked(`Only ${ids.length} of ${total} records were read.`, cites)
  const beyond = await on.send({ query: { page: String(pages.length + 1), per_page: String(size) } })
  const count = ids.length + idsIn(beyond.body).length
  const message = `The total is ${total}, but all pages together contain ${count} records or more.`
  on.claim(count === total, 'total', message, { cites })
}

/** True if the orders differ; undefined if the list is too short to tell. */
async function compareOrders(on: TestedOperation, sort: string | undefined): Promise<boolean | undefined> {
  const asc = await on.send({ query: { order: 'asc', sort } })
  const desc = await on.send({ query: { order: 'desc', sort } })
  if (sort === 'received_by') {
    on.expect(asc, 'A call with order=asc', { masked: TOO_SHORT })
    on.expect(desc, 'A call with order=desc', { masked: TOO_SHORT })
  }
  if (!asc.ok || !desc.ok || idsIn(asc.body).length < 2) return undefined
  const valuesIn = (body: unknown) => recordsIn(body).map((one) => member(one, sort ?? '') as number)
  for (const values of [valuesIn(asc.body), valuesIn(desc.body).reverse()]) {
    const isReversed = new Set(values).size > 1 && values.every((one, at) => at === 0 || one <= values[at - 1]!)
    if (isReversed) on.claim(false, `histories[*].${sort}`, `A list with sort=${sort} is in the opposite order.`)
  }
  return `${idsIn(asc.body)}` !== `${idsIn(desc.body)}`
}

const elsewhere = (on: TestedOperation) => {
  const organization_uuid = on.session.data.unknownLike(on.complete.query.organization_uuid)
  return on.send({ query: { organization_uuid } })
}

/** `The per page field is required.` names `per_page`. */
const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

const checks: readonly OperationCheck[] = [
  check(['S5.2', 'S5.6', 'S5.7'], async (on) => {
    for (const size of [3, Number(on.complete.query.per_page)]) await readPages(on, size)
  }),
  ofRecords(['S5.3'], async (on, records) => {
    const answer = await elsewhere(on)
    const strange = answer.ok ? idsIn(answer.body).length : 0
    const message = `The history of an organization that does not exist contains records (${strange}).`
    on.claim(strange === 0, 'histories', message)
    const wanted = alike(on.complete.query.organization_uuid ?? '')
    claimTexts(on, records, 'organization_uuid', wanted, 'It is not the organization that was requested.')
  }),
  ofRecords(['S5.9'], (on, records) => {
    // As ISO 4217 writes currencies, or as ledgers do.
    claimTexts(on, records, 'currency', /^(?:[A-Z]{3,5}|[a-z]{3}|\d{3})$/, 'It must be a currency code such as EUR.')
  }),
  ofRecords(['S5.10'], (on, records) => {
    const kinds = [...new Set(records.map((one) => member(one, 'type')))]
    const isThere = kinds.includes('purchase')
    // If all four kinds are there, purchases must be among them, by another name.
    if (!isThere && kinds.length < 4 && !kinds.some((kind) => /^purchases?d?$/i.test(String(kind))))
      return on.unchecked('No record is a purchase.')
    const message = `The value 'purchase' does not occur among ${kinds.map(valueText).join(', ')}.`
    return on.claim(isThere, 'histories[*].type', message)
  }),
  check(['SU.3'], async (on) => {
    on.expect(await on.send({ query: { user_type: undefined } }), "A call without 'user_type'")
    const records = (await pagesOf(on)).flatMap(recordsIn)
    const types = [...new Set(records.map((one) => member(one, 'user_type')))].filter((one) => typeof one === 'string')
    for (const type of new Set(['ENTERPRISE_API', ...types.slice(0, 3), 'COUNTERSIGN'])) {
      const answer = await on.send({ query: { user_type: type } })
      const call = `A call with user_type=${type}`
      const otherwise = { 'I-04': types.includes(type) ? [] : CLIENT_ERRORS }
      if (!on.expect(answer, call, { otherwise })) continue
      const message = `${call} is answered with records of another type.`
      claimTexts(on, recordsIn(answer.body), 'user_type', alike(type), message)
    }
  }),
  check(['S5.4'], async (on) => {
    const answer = await on.send({ query: { sort: 'received_by' } })
    const unsorted = await on.send({ query: { order: 'asc' } })
    const sorted = await on.send({ query: { order: 'asc', sort: 'received_by' } })
    const masked = 'Sorting by received_by is accepted, but its effect could not be seen.'
    // No record has the field; another order shows its effect.
    const isEffective = `${idsIn(unsorted.body)}` !== `${idsIn(sorted.body)}`
    if (on.expect(answer, 'A call with sort=received_by', { masked }) && isEffective) on.holds()
  }),
  check(['S5.5'], async (on) => {
    const effects: (boolean | undefined)[] = []
    for (const sort of ['received_by', 'created_at', 'amount', undefined]) effects.push(await compareOrders(on, sort))
    if (effects.every((one) => one === undefined)) return
    on.claim(effects.includes(true), 'histories', 'order=asc and order=desc give the same list.')
    const unknown = await on.send({ query: { order: 'countersign' } })
    const expected = { status: 400, otherwise: { 'I-06': [200, ...CLIENT_ERRORS] } }
    on.expect(unknown, 'A call with order=countersign', expected)
  }),
  check(['I-06'], async (on) => {
    if (!(await on.send()).ok) return
    const unknown = await on.send({ query: { sort: 'countersign' } })
    on.seesStatus('unknownSort', unknown, { 200: 'ignore', invalid: 'invalid' })
    const empty = await on.send({ query: { sort: '' } })
    on.seesStatus('emptyFields', empty, { 200: 'absent', invalid: 'invalid' })
    const answer = await elsewhere(on)
    const isEmpty = recordsIn(answer.body).length === 0
    on.seesStatus('unknownOrganization', answer, { 200: isEmpty ? 'empty' : undefined, 400: 400, 404: 404 })
  }),
  check(['SE.8'], async (on) => {
    for (const name of on.contract.query.required ?? []) {
      const answer = await on.send({ query: { [name]: undefined } })
      const said = member(answer.body, 'error', 'message')
      if (answer.ok || typeof said !== 'string') continue
      const message = `It must name the missing parameter '${name}', but does not.`
      on.claim(lettersOf(said).includes(lettersOf(name)), 'error.message', message)
    }
  }),
]

export const listCreditHistories: OperationKnowledge = { checks, shownByChecks: ['S5.7', 'S5.10', 'SE.8'] }
