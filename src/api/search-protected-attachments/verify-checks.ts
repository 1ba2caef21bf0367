import { listAt, valueAt } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import type { OperationChecks } from '../../tools/verify/definition.js'
import type { ReceivedAnswer } from '../../tools/verify/sender.js'
import type { RecordList, TestedOperation } from '../../tools/verify/tested-operation.js'

function search(operation: TestedOperation, ...keywords: readonly string[]): Promise<ReceivedAnswer> {
  const names = Object.keys(operation.sampleCall.query).filter((name) => name.startsWith('keyword'))
  const named = keywords.map((keyword, at) => [`keyword[sample_${at + 1}]`, keyword])
  return operation.send({ query: Object.fromEntries([...names.map((name) => [name, undefined]), ...named]) })
}

const knownKeyword = ({ sampleCall }: TestedOperation) => sampleCall.query['keyword[sample_1]'] ?? ''

const attachmentsIn = (answer: ReceivedAnswer) => (answer.ok ? listAt(answer.body, 'data') : [])

const idsOf = (found: RecordList) => found.map((one) => valueAt(one, 'id')).filter((id) => id !== undefined)

/** With fewer results, a missing status `protected` proves nothing. */
const MIN_TO_JUDGE = 3

const records = {
  find: async (operation: TestedOperation) => attachmentsIn(await operation.send()),
  ifNone: 'No attachment is found. With --data FILE, name a keyword that occurs in an attachment.',
}

async function searchWithoutMatch(operation: TestedOperation) {
  const answer = await search(operation, operation.session.data.nonsense)
  const { length } = attachmentsIn(answer)
  if (length === 0) return operation.expect(answer, 'A search without a match', { status: 404 })
  return operation.assert(false, 'data', `A search for a nonsense keyword finds attachments (${length}).`)
}

function checkKeywordOccurs(operation: TestedOperation, found: RecordList): void {
  const keyword = knownKeyword(operation)
  const others = found.filter((one) => !JSON.stringify(one).toLowerCase().includes(keyword.toLowerCase()))
  const message = `These attachments do not contain the keyword ${quote(keyword)}.`
  const counts = { count: others.length, of: found.length }
  if (others.length > 0) operation.report('differs', ['S4.5', 'I-05'], { where: 'data[*]', message, ...counts })
}

function checkStatuses(operation: TestedOperation, found: RecordList): void {
  const statuses = [...new Set(found.map((one) => valueAt(one, 'status')))]
  const isProtectedFound = statuses.includes('protected')
  if (!isProtectedFound && found.length < MIN_TO_JUDGE)
    return operation.reportUnchecked('Too few attachments were found, and none is protected.')
  const shown = statuses.map((one) => operation.session.shapes.describeValue(one)).join(', ')
  const message = `No attachment has the status 'protected'; found: ${shown}.`
  operation.assert(isProtectedFound, 'data[*].status', message, { count: found.length, of: found.length })
  const { length } = found.filter((one) => ![undefined, 'protected'].includes(valueAt(one, 'status') as string))
  const othersFound = `The search also finds attachments with a status other than 'protected'; found: ${shown}.`
  if (isProtectedFound)
    operation.assert(length === 0, 'data[*].status', othersFound, { cites: ['S4.5'], count: length, of: found.length })
}

function checkUniqueIds(operation: TestedOperation, found: RecordList): void {
  for (const name of ['id', 'dna']) {
    const values = found.map((one) => valueAt(one, name)).filter((one) => one !== undefined)
    const duplicate = `Two attachments have the same '${name}'.`
    operation.assert(new Set(values).size === values.length, 'data', duplicate)
  }
}

/** Repeats one keyword, because the document does not say which fields are searched. */
async function searchByRepeatedKeyword(operation: TestedOperation, found: RecordList): Promise<void> {
  // Probably finds one attachment. The result is unused: every body is judged later.
  await search(operation, String(valueAt(found[0], 'reference_number')))
  for (const count of [2, 3]) {
    const answer = await search(operation, ...Array(count).fill(knownKeyword(operation)))
    const call = `A search with the same keyword ${count} times`
    if (!operation.expect(answer, call, { cites: ['S4.3'] })) return
    const foundIds = idsOf(attachmentsIn(answer))
    operation.assert(
      idsOf(found).every((id) => foundIds.includes(id)),
      'data',
      `${call} does not find all attachments.`,
    )
  }
}

/** With AND, an unknown keyword removes all results; with OR, it changes nothing. */
async function checkEveryKeywordCounts(operation: TestedOperation): Promise<void> {
  const [known, nonsense] = [knownKeyword(operation), operation.session.data.nonsense]
  const finds = async (...keywords: readonly string[]) => {
    return attachmentsIn(await search(operation, ...keywords)).length > 0
  }
  const [foundByFirst, foundBySecond] = [await finds(known, nonsense), await finds(nonsense, known)]
  operation.assert(!foundByFirst || foundBySecond, 'data', 'The second keyword makes no difference.')
  operation.assert(!foundBySecond || foundByFirst, 'data', 'The first keyword makes no difference.')
  const thirdMatters = !(await finds(known, known, nonsense)) || (await finds(nonsense, nonsense, known))
  operation.assert(thirdMatters, 'data', 'The third keyword makes no difference.')
  const message = 'A search finds attachments that match only one of its keywords.'
  if (foundByFirst && foundBySecond) operation.report('differs', ['S4.5', 'I-05'], { where: 'data', message })
}

async function searchAsAnotherUser(operation: TestedOperation, found: RecordList) {
  const { tokenWithoutPermission } = operation.session.sender.target
  const other = { header: 'authorization', kind: 'without permission' } as const
  const answer = tokenWithoutPermission === undefined ? undefined : await operation.send({}, { token: other })
  const otherIds = answer?.ok ? idsOf(attachmentsIn(answer)) : []
  if (answer === undefined || !(answer.ok || answer.status === 404)) {
    const unexpectedAnswer = answer && `The call with --token-without-permission is answered with ${answer.status}.`
    const explanation = unexpectedAnswer ?? "Pass another user's token with --token-without-permission."
    const message = `It takes another user to check that a search finds only the caller's documents. ${explanation}`
    return operation.report('unchecked', ['S4.5'], { message, preventsOk: true, lacksOption: answer === undefined })
  }
  const areDisjoint = !idsOf(found).some((id) => otherIds.includes(id))
  return operation.assert(areDisjoint, 'data', "Another user finds this user's documents.")
}

async function searchByUserToken(operation: TestedOperation, found: RecordList): Promise<void> {
  const answer = await operation.send({}, { token: { header: 'user-token', kind: 'user' } })
  const isSameOrFailed = !answer.ok || `${idsOf(found).sort()}` === `${idsOf(attachmentsIn(answer)).sort()}`
  const message = "The token finds different attachments in 'user-token' than in 'Authorization'."
  operation.assert(isSameOrFailed, 'data', message)
}

export const searchProtectedAttachments: OperationChecks = {
  checks: [
    { cites: ['S4.5', 'SE.3'], run: searchWithoutMatch },
    { cites: ['S4.5'], records, run: checkKeywordOccurs },
    { cites: ['S4.8'], records, run: checkStatuses },
    { cites: ['S4.7'], records, run: checkUniqueIds },
    { cites: ['S4.3', 'S4.5'], records, run: searchByRepeatedKeyword },
    { cites: ['S4.3', 'S4.5'], records, run: checkEveryKeywordCounts },
    {
      cites: ['S4.4', 'SE.1'],
      async run(operation) {
        const answer = await search(operation, ...Array(4).fill(knownKeyword(operation)))
        operation.expect(answer, 'A search with four keywords', { status: 400 })
      },
    },
    { cites: ['S4.5'], records, run: searchAsAnotherUser },
    { cites: ['SA.3'], records, run: searchByUserToken },
  ],
  provenOnlyByChecks: ['S4.8'],
}
