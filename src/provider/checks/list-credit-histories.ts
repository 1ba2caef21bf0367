import type { Cites } from '../../../schemas/cites.js'
import { valueText } from '../interpretations/words.js'
import { CLIENT_ERRORS, isSuccess, items, member, type Operation } from '../session.js'
import { type Check, check } from './check.js'

const recordsIn = (body: unknown) => items(member(body, 'histories'))
const idsIn = (body: unknown) => recordsIn(body).map((one) => member(one, 'id'))

const MOST_PAGES = 30
const EMPTY = 'The list is empty. Name an organization that has records with --data FILE.'

/** The bodies of every page up to the end, or to a bound; by default of the size that the complete request has. */
async function pagesOf(on: Operation, size = on.complete.query.per_page ?? '10'): Promise<readonly unknown[]> {
  const pages: unknown[] = []
  for (let page = 1; page <= MOST_PAGES; page++) {
    const answer = await on.send({ query: { page: String(page), per_page: size } })
    if (!isSuccess(answer)) break
    on.judgeBody(answer)
    pages.push(answer.body)
    const count = pages.flatMap(recordsIn).length
    if (recordsIn(answer.body).length === 0 || count >= Number(member(answer.body, 'total'))) break
  }
  return pages
}

const ofRecords = (cites: Cites, look: (on: Operation, records: readonly unknown[]) => unknown): Check =>
  check(cites, async (on) => {
    const records = (await pagesOf(on)).flatMap(recordsIn)
    return records.length === 0 ? on.unchecked(cites, EMPTY) : look(on, records)
  })

/** Claims something of the texts in a field; what is not text is told with the shape of the body. */
function claimOfTexts(
  on: Operation,
  records: readonly unknown[],
  field: string,
  isWrong: (text: string) => boolean,
  cites: Cites,
  message: string,
): void {
  const texts = records.map((one) => member(one, field)).filter((value) => typeof value === 'string')
  const counts = { count: texts.filter(isWrong).length, of: records.length }
  on.claim(counts.count === 0, cites, `histories[*].${field}`, message, counts)
}

/** UUIDs are the same in any letter case. */
const isOther = (wanted: string) => (text: string) => text.toLowerCase() !== wanted.toLowerCase()

/** `The per page field is required.` names `per_page`. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** The last page's size is that of what is left; the largest size is not shown (S0.5), so that a smaller one may be used. */
function comparePage(on: Operation, body: unknown, page: number, size: number, total: number): void {
  const [told, perPage, { length }] = [member(body, 'page'), member(body, 'per_page'), recordsIn(body)]
  const isCapped = typeof perPage === 'number' && perPage > 0 && perPage < size && length <= perPage
  const due = Math.max(0, Math.min(isCapped ? perPage : size, total - (page - 1) * (isCapped ? perPage : size)))
  const echo = (name: string, value: unknown, sent: number) =>
    `A call with ${name}=${sent} is answered with ${name} ${valueText(value)}.`
  on.claim(told === page, ['S5.2', 'S5.6'], 'page', echo('page', told, page))
  on.claim(perPage === size || isCapped, ['S5.2', 'S5.6'], 'per_page', echo('per_page', perPage, size))
  on.claim(length <= size, ['S5.2'], 'histories', `A page of ${size} results contains ${length}.`)
  const message = `Page ${page} of ${size} results contains ${length}, although the total is ${total}.`
  on.claim(length >= due, ['S5.2', 'S5.7'], 'histories', message)
}

export const listCreditHistories: readonly Check[] = [
  check(['S5.2', 'S5.6', 'S5.7'], async (on, cites) => {
    for (const size of [3, Number(on.complete.query.per_page)]) {
      const pages = await pagesOf(on, String(size))
      const [total, ...others] = new Set(pages.map((body) => member(body, 'total')))
      if (typeof total !== 'number') return
      if (total === 0) return on.unchecked(cites, EMPTY)
      const changes = `The total is ${total} on the first page, but not on all others.`
      on.claim(others.length === 0, ['S5.7'], 'total', changes)
      for (const [at, body] of pages.entries()) comparePage(on, body, at + 1, size, total)
      const ids = pages.flatMap(idsIn)
      const again = ids.length - new Set(ids).size
      on.claim(again === 0, ['S5.9', 'S5.2'], 'histories[*].id', 'Records occur again, or have the same identifier.')
      const isWhole = idsIn(pages.at(-1)).length === 0 || ids.length >= total
      if (!isWhole) return on.unchecked(['S5.7'], `Only ${ids.length} of ${total} records were read.`)
      const beyond = await on.send({ query: { page: String(pages.length + 1), per_page: String(size) } })
      const count = ids.length + idsIn(beyond.body).length
      const message = `The total is ${total}, but all pages together contain ${count} records or more.`
      on.claim(count === total, ['S5.7'], 'total', message)
    }
  }),
  ofRecords(['S5.3'], async (on, records) => {
    const { organization_uuid: wanted = '' } = on.complete.query
    const elsewhere = await on.send({ query: { organization_uuid: on.session.values.unknownLike(wanted) } })
    const strange = isSuccess(elsewhere) ? idsIn(elsewhere.body).length : 0
    const message = `The history of an organization that does not exist contains ${strange} records.`
    on.claim(strange === 0, ['S5.3'], 'histories', message)
    const other = 'It is not the organization that was requested.'
    claimOfTexts(on, records, 'organization_uuid', isOther(wanted), ['S5.3'], other)
  }),
  ofRecords(['S5.9'], (on, records) => {
    // As ISO 4217 writes currencies, or as ledgers do.
    const isWrong = (text: string) => !/^(?:[A-Z]{3,5}|[a-z]{3}|\d{3})$/.test(text)
    claimOfTexts(on, records, 'currency', isWrong, ['S5.9'], 'It must be a currency code such as EUR.')
  }),
  ofRecords(['S5.10'], (on, records) => {
    const kinds = [...new Set(records.map((one) => member(one, 'type')))]
    const isThere = kinds.includes('purchase')
    // If all four kinds are there, purchases must be among them, by another name.
    if (!isThere && kinds.length < 4 && !kinds.some((kind) => /^purchases?d?$/i.test(String(kind))))
      return on.unchecked(['S5.10'], 'No record is a purchase.')
    const message = `The value 'purchase' does not occur among ${kinds.map(valueText).join(', ')}.`
    return on.claim(isThere, ['S5.10'], 'histories[*].type', message)
  }),
  check(['SU.3'], async (on, cites) => {
    on.expect(await on.send({ query: { user_type: undefined } }), "A call without 'user_type'", cites)
    const records = (await pagesOf(on)).flatMap(recordsIn)
    const types = [...new Set(records.map((one) => member(one, 'user_type')))].filter((one) => typeof one === 'string')
    for (const type of new Set(['ENTERPRISE_API', ...types.slice(0, 3), 'COUNTERSIGN'])) {
      const answer = await on.send({ query: { user_type: type } })
      const call = `A call with user_type=${type}`
      const otherwise = { 'I-04': types.includes(type) ? [] : CLIENT_ERRORS }
      if (!on.expect(answer, call, cites, { otherwise })) continue
      const message = `${call} is answered with records of another type.`
      claimOfTexts(on, recordsIn(answer.body), 'user_type', isOther(type), cites, message)
    }
  }),
  check(['S5.4'], async (on, cites) => {
    const answer = await on.send({ query: { sort: 'received_by' } })
    const unsorted = await on.send({ query: { order: 'asc' } })
    const sorted = await on.send({ query: { order: 'asc', sort: 'received_by' } })
    const masked = 'Sorting by received_by is accepted, but its effect could not be seen.'
    if (!on.expect(answer, 'A call with sort=received_by', cites, { masked })) return
    // No record has the field; another order shows its effect.
    if (`${idsIn(unsorted.body)}` !== `${idsIn(sorted.body)}`) on.holds(cites)
  }),
  check(['S5.5'], async (on, cites) => {
    const effects: boolean[] = []
    for (const sort of ['received_by', 'created_at', 'amount', undefined]) {
      const asc = await on.send({ query: { order: 'asc', sort } })
      const desc = await on.send({ query: { order: 'desc', sort } })
      if (sort === 'received_by') {
        on.expect(asc, 'A call with order=asc', cites)
        on.expect(desc, 'A call with order=desc', cites)
      }
      if (!isSuccess(asc) || !isSuccess(desc) || idsIn(asc.body).length < 2) continue
      effects.push(`${idsIn(asc.body)}` !== `${idsIn(desc.body)}`)
      const valuesIn = (body: unknown) => recordsIn(body).map((one) => member(one, sort ?? '') as number)
      for (const values of [valuesIn(asc.body), valuesIn(desc.body).reverse()]) {
        const isReversed = new Set(values).size > 1 && values.every((one, at) => at === 0 || one <= values[at - 1]!)
        if (isReversed)
          on.claim(false, cites, `histories[*].${sort}`, `A list with sort=${sort} is in the opposite order.`)
      }
    }
    if (effects.length === 0) return on.unchecked(cites, EMPTY)
    on.claim(effects.includes(true), cites, 'histories', 'order=asc and order=desc give the same list.')
    const otherwise = { 'I-06': [200, ...CLIENT_ERRORS] }
    const unknown = await on.send({ query: { order: 'countersign' } })
    return on.expect(unknown, 'A call with order=countersign', cites, { status: on.contract.invalid, otherwise })
  }),
  check(['I-06'], async (on) => {
    if (!isSuccess(await on.send())) return
    const unknown = await on.send({ query: { sort: 'countersign' } })
    on.sees('unknownSort', unknown, on.invalidOr(unknown, 'ignore'))
    const empty = await on.send({ query: { sort: '' } })
    on.sees('emptyFields', empty, on.invalidOr(empty, 'absent'))
    const organization_uuid = on.session.values.unknownLike(on.complete.query.organization_uuid ?? '')
    const elsewhere = await on.send({ query: { organization_uuid } })
    const isEmpty = isSuccess(elsewhere) && recordsIn(elsewhere.body).length === 0
    const refused = [400, 404].find((status) => status === elsewhere.status)
    on.sees('unknownOrganization', elsewhere, isEmpty ? 'empty' : refused)
  }),
  check(['SE.8'], async (on, cites) => {
    for (const name of on.contract.query.required ?? []) {
      const answer = await on.send({ query: { [name]: undefined } })
      const said = member(answer.body, 'error', 'message')
      if (isSuccess(answer) || typeof said !== 'string') continue
      const message = `It must name the missing parameter '${name}', but does not.`
      on.claim(plain(said).includes(plain(name)), cites, 'error.message', message)
    }
  }),
]
