import type { Cites } from '../../engine/contract/cites.js'
import { listAt, valueAt } from '../../engine/contract/json.js'
import type { OperationChecks } from '../../tools/verify/definition.js'
import type { RecordList, TestedOperation } from '../../tools/verify/tested-operation.js'

const recordsIn = (body: unknown) => listAt(body, 'histories')
/** A record without an id is identified by its JSON. */
const idsIn = (body: unknown) => recordsIn(body).map((one) => valueAt(one, 'id') ?? JSON.stringify(one))

const MAX_PAGES = 30
const EMPTY = 'The list is empty. With --data FILE, name an organization that has records.'

/** A code of ISO 4217 (`EUR`, `eur`, `978`), or a longer one in capitals, such as `USDC`. */
const CURRENCY = /^(?:[A-Z]{3,5}|[a-z]{3}|\d{3})$/

const TOO_SHORT = 'Both orders are accepted, but the list is too short to show them.'

async function fetchPages(operation: TestedOperation, size = operation.sampleCall.query.per_page): Promise<unknown[]> {
  const pages: unknown[] = []
  for (let page = 1; page <= MAX_PAGES; page++) {
    const answer = await operation.send({ query: { page: String(page), per_page: size } })
    if (!answer.ok) break
    pages.push(answer.body)
    const count = pages.flatMap(recordsIn).length
    if (recordsIn(answer.body).length === 0 || count >= Number(valueAt(answer.body, 'total'))) break
  }
  return pages
}

const allRecords = async (operation: TestedOperation) => (await fetchPages(operation)).flatMap(recordsIn)
const neededRecords = { find: allRecords, ifNone: EMPTY }

function assertTexts(operation: TestedOperation, records: RecordList, field: string, pattern: RegExp, message: string) {
  const texts = records.map((record) => valueAt(record, field)).filter((text) => typeof text === 'string')
  const wrong = texts.filter((text) => !pattern.test(text))
  operation.assert(wrong.length === 0, `histories[*].${field}`, message, { count: wrong.length, of: records.length })
}

const toCaseInsensitivePattern = (text: string) => new RegExp(`^${text.replaceAll(/\W/g, '\\$&')}$`, 'i')

/** The document states no largest size (S0.5), so the provider may use a smaller one. */
function comparePage(operation: TestedOperation, pages: RecordList, page: number, size: number, total: number): void {
  const { shapes } = operation.session
  const [body, limit] = [pages[page - 1], Number(valueAt(pages[0], 'per_page'))]
  const [pageInAnswer, perPage, { length }] = [valueAt(body, 'page'), valueAt(body, 'per_page'), recordsIn(body)]
  const effectiveSize = limit > 0 && limit < size && recordsIn(pages[0]).length === limit ? limit : size
  const assertRepeated = (place: string, sent: number, actual: unknown, expected = sent) => {
    const message = `The answer must repeat ${sent}, as sent, not ${shapes.describeValue(actual)}.`
    operation.assert(actual === expected, place, message, { cites: ['S5.2', 'S5.6'] })
  }
  assertRepeated('page', page, pageInAnswer)
  assertRepeated('per_page', size, perPage, effectiveSize)
  operation.assert(length <= size, 'histories', `A page of ${size} results contains ${length}.`, { cites: ['S5.2'] })
  const message = `Page ${page} contains ${length} of ${size} results, although the total is ${total}.`
  const isFull = length >= Math.min(effectiveSize, total - (page - 1) * effectiveSize)
  operation.assert(isFull, 'histories', message, { cites: ['S5.2', 'S5.7'] })
}

async function checkPages(operation: TestedOperation, size: number): Promise<void> {
  const pages = await fetchPages(operation, String(size))
  const [total, ...others] = new Set(pages.map((body) => valueAt(body, 'total')))
  if (typeof total !== 'number' || !pages.every((body) => Array.isArray(valueAt(body, 'histories')))) return
  const ids = pages.flatMap(idsIn)
  if (total === 0 && ids.length === 0) return operation.reportUnchecked(EMPTY)
  const cites: Cites = ['S5.7']
  const otherTotal = `The total is ${total} on the first page, but not on all others.`
  operation.assert(others.length === 0, 'total', otherTotal, { cites })
  for (const at of pages.keys()) comparePage(operation, pages, at + 1, size, total)
  const areDistinct = ids.length === new Set(ids).size
  const duplicate = 'A record is on two pages, or two records have the same identifier.'
  operation.assert(areDistinct, 'histories[*].id', duplicate, { cites: ['S5.9', 'S5.2'] })
  if (idsIn(pages.at(-1)).length > 0 && ids.length < total)
    return operation.reportUnchecked(`Only ${ids.length} of ${total} records were read.`, cites)
  const nextPage = await operation.send({ query: { page: String(pages.length + 1), per_page: String(size) } })
  const nextIds = idsIn(nextPage.body)
  const isRepeated = nextIds.some((id) => ids.includes(id))
  const repeats = 'A page past the end repeats records, in place of an empty list.'
  if (isRepeated) operation.report('differs', ['I-06'], { where: 'histories', message: repeats })
  const count = ids.length + (isRepeated ? 0 : nextIds.length)
  const message = `The total is ${total}, but all pages together contain ${count > total ? 'at least ' : ''}${count} records.`
  operation.assert(count === total, 'total', message, { cites })
}

/** True if the orders differ; undefined if a call fails or the list is too short. */
async function compareOrders(operation: TestedOperation, sort: string | undefined): Promise<boolean | undefined> {
  const asc = await operation.send({ query: { order: 'asc', sort, page: '1' } })
  const desc = await operation.send({ query: { order: 'desc', sort, page: '1' } })
  if (sort === 'received_by') {
    operation.expect(asc, 'A call with order=asc', { whyUnproven: TOO_SHORT })
    operation.expect(desc, 'A call with order=desc', { whyUnproven: TOO_SHORT })
  }
  if (!asc.ok || !desc.ok || idsIn(asc.body).length < 2) return undefined
  const valuesIn = (body: unknown) => recordsIn(body).map((one) => valueAt(one, sort ?? '') as number)
  const lists = [valuesIn(asc.body), valuesIn(desc.body).reverse()]
  const isSorted = (values: readonly number[]) => values.every((one, at) => at === 0 || one >= values[at - 1]!)
  const isComparable = lists.every((values) => new Set(values).size > 1 && !values.some((one) => Object(one) === one))
  const areSorted = lists.map(isSorted)
  const place = `histories[*].${sort}`
  if (isComparable && lists.some((values, at) => !areSorted[at] && isSorted(values.toReversed())))
    operation.assert(false, place, `A list with sort=${sort} is in the opposite order.`)
  // With few values, a list that is not sorted by this field may look sorted.
  else if (isComparable && areSorted[0] !== areSorted[1] && lists.every((values) => new Set(values).size >= MIN_VALUES))
    operation.assert(false, place, `With sort=${sort}, only one of order=asc and order=desc is sorted.`)
  const [ascIds, descIds] = [idsIn(asc.body), idsIn(desc.body)]
  const isWithinPage =
    descIds.length < Number(valueAt(desc.body, 'total')) && descIds.every((id) => ascIds.includes(id))
  if (isWithinPage && `${ascIds}` !== `${descIds}`)
    operation.assert(false, 'histories', "'order' sorts each page by itself, not the whole list.")
  return `${ascIds}` !== `${descIds}`
}

const MIN_VALUES = 4

const sendForUnknownOrganization = (operation: TestedOperation) => {
  const organization_uuid = operation.session.data.unknownValueLike(operation.sampleCall.query.organization_uuid)
  return operation.send({ query: { organization_uuid } })
}

async function compareOrganizations(operation: TestedOperation, records: RecordList): Promise<void> {
  const answer = await sendForUnknownOrganization(operation)
  if (!answer.ok && answer.status !== 400 && answer.status !== 404)
    operation.expect(answer, 'A call with an unknown organization', { alsoAllowed: { 'I-06': ['4xx'] } })
  const count = answer.ok ? idsIn(answer.body).length : 0
  const notEmpty = `The history of an organization that does not exist contains records (${count}).`
  operation.assert(count === 0, 'histories', notEmpty)
  const requested = toCaseInsensitivePattern(operation.sampleCall.query.organization_uuid ?? '')
  const otherOrganization = 'The record belongs to another organization than the requested one.'
  assertTexts(operation, records, 'organization_uuid', requested, otherOrganization)
}

function checkPurchaseOccurs(operation: TestedOperation, records: RecordList): void {
  const kinds = [...new Set(records.map((record) => valueAt(record, 'type')))]
  const hasPurchase = kinds.includes('purchase')
  // The document has four kinds: if all occur, or a spelling such as `Purchases`, purchases have another name.
  if (!hasPurchase && kinds.length < 4 && !kinds.some((kind) => /^purchases?d?$/i.test(String(kind))))
    return operation.reportUnchecked('No record is a purchase.')
  const shown = kinds.map((kind) => operation.session.shapes.describeValue(kind)).join(', ')
  operation.assert(hasPurchase, 'histories[*].type', `The value 'purchase' does not occur among ${shown}.`)
}

async function checkUserTypeFilter(operation: TestedOperation): Promise<void> {
  const unfiltered = await operation.send({ query: { user_type: undefined } })
  const records = await allRecords(operation)
  const whyUnproven = records.length === 0 ? EMPTY : undefined
  operation.expect(unfiltered, "A call without 'user_type'", { whyUnproven })
  const types = [...new Set(records.map((one) => valueAt(one, 'user_type')))].filter((one) => typeof one === 'string')
  for (const type of new Set(['ENTERPRISE_API', ...types.slice(0, 3), 'COUNTERSIGN'])) {
    const answer = await operation.send({ query: { user_type: type, page: '1' } })
    const call = `A call with user_type=${type}`
    const alsoAllowed = { 'I-04': types.includes(type) ? [] : (['4xx'] as const) }
    if (!operation.expect(answer, call, { alsoAllowed, whyUnproven })) continue
    const isFoundIfPresent = !types.includes(type) || recordsIn(answer.body).length > 0
    operation.assert(isFoundIfPresent, 'histories', `${call} finds no records, although some have this type.`)
    const message = `${call} is answered with records of another type.`
    assertTexts(operation, recordsIn(answer.body), 'user_type', toCaseInsensitivePattern(type), message)
  }
}

async function checkSortByReceiver(operation: TestedOperation): Promise<void> {
  const answer = await operation.send({ query: { sort: 'received_by' } })
  const unsorted = await operation.send({ query: { order: 'asc' } })
  const sorted = await operation.send({ query: { order: 'asc', sort: 'received_by' } })
  const whyUnproven = 'Sorting by received_by is accepted, but its effect could not be seen.'
  operation.expect(answer, 'A call with sort and without order', { whyUnproven, alsoAllowed: { 'I-06': [400] } })
  // No record shows `received_by`, so only a changed order proves that the sorting has an effect.
  const isEffective = `${idsIn(unsorted.body)}` !== `${idsIn(sorted.body)}`
  if (operation.expect(sorted, 'A call with sort=received_by', { whyUnproven }) && isEffective) operation.reportOk()
}

async function compareAllOrders(operation: TestedOperation): Promise<void> {
  const effects: (boolean | undefined)[] = []
  for (const sort of ['received_by', 'created_at', 'amount', undefined])
    effects.push(await compareOrders(operation, sort))
  if (effects.every((one) => one === undefined)) return
  operation.assert(effects.includes(true), 'histories', 'order=asc and order=desc give the same list.')
  const unknown = await operation.send({ query: { order: 'countersign' } })
  operation.expect(unknown, 'A call with order=countersign', { status: 400, alsoAllowed: { 'I-06': [200, '4xx'] } })
}

async function observeUnknownOrganization(operation: TestedOperation): Promise<void> {
  if (!(await operation.send()).ok) return
  const answer = await sendForUnknownOrganization(operation)
  const isEmpty = recordsIn(answer.body).length === 0
  operation.observeStatus('unknownOrganization', answer, { 200: isEmpty ? 'empty' : undefined, 400: 400, 404: 404 })
}

async function checkMessagesNameParameter(operation: TestedOperation): Promise<void> {
  // A provider may write `per_page` as `per page`, so only letters are compared.
  const lettersOf = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  for (const name of operation.contract.query.required ?? []) {
    const answer = await operation.send({ query: { [name]: undefined } })
    const text = valueAt(answer.body, 'error', 'message')
    if (answer.ok || typeof text !== 'string') continue
    const message = `The message must name the missing parameter '${name}', but does not.`
    operation.assert(lettersOf(text).includes(lettersOf(name)), 'error.message', message)
  }
}

export const listCreditHistories: OperationChecks = {
  checks: [
    { cites: ['S5.2', 'S5.6', 'S5.7'], run: (operation) => checkPages(operation, 3) },
    {
      cites: ['S5.2', 'S5.6', 'S5.7'],
      run: (operation) => checkPages(operation, Number(operation.sampleCall.query.per_page)),
    },
    { cites: ['S5.3'], records: neededRecords, run: compareOrganizations },
    {
      cites: ['S5.9'],
      records: neededRecords,
      run: (operation, found) =>
        assertTexts(operation, found, 'currency', CURRENCY, 'The currency must be a code such as EUR.'),
    },
    { cites: ['S5.10'], records: neededRecords, run: checkPurchaseOccurs },
    { cites: ['SU.3'], run: checkUserTypeFilter },
    { cites: ['S5.4'], run: checkSortByReceiver },
    { cites: ['S5.5'], run: compareAllOrders },
    { cites: ['I-06'], run: observeUnknownOrganization },
    { cites: ['SE.8'], run: checkMessagesNameParameter },
  ],
  // Statuses for an unknown organization (I-06).
  unknownDataStatuses: [400, 404],
  provenOnlyByChecks: ['S5.7', 'S5.10', 'SE.8'],
}
