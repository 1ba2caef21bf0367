import type { Cites } from '../../engine/contract/cites.js'
import { quote } from '../../engine/contract/wording.js'
import { valueText } from '../../tools/verify/interpretations/shapes.js'
import type { ReceivedAnswer } from '../../tools/verify/sender.js'
import {
  check,
  items,
  member,
  type OperationCheck,
  type OperationKnowledge,
  type TestedOperation,
} from '../../tools/verify/tested-operation.js'

function search(on: TestedOperation, ...keywords: readonly string[]): Promise<ReceivedAnswer> {
  const others = Object.keys(on.complete.query).filter((name) => name.startsWith('keyword'))
  const named = keywords.map((keyword, at) => [`keyword[sample_${at + 1}]`, keyword])
  return on.send({ query: Object.fromEntries([...others.map((name) => [name, undefined]), ...named]) })
}

const knownKeyword = ({ complete }: TestedOperation) => complete.query['keyword[sample_1]'] ?? ''

const attachmentsIn = (answer: ReceivedAnswer) => (answer.ok ? items(answer.body, 'data') : [])

const idsOf = (found: readonly unknown[]) => found.map((one) => member(one, 'id'))

const NONE_FOUND = 'No attachment is found. Name a keyword that matches some with --data FILE.'
/** Of so many attachments, one must be protected, since the search is for protected ones. */
const ENOUGH = 3

const ofFound = (cites: Cites, look: (on: TestedOperation, found: readonly unknown[]) => unknown): OperationCheck =>
  check(cites, async (on) => {
    const found = attachmentsIn(await on.send())
    return found.length === 0 ? on.unchecked(NONE_FOUND) : look(on, found)
  })

const checks: readonly OperationCheck[] = [
  check(['S4.5', 'SE.3'], async (on) => {
    const answer = await search(on, on.session.data.nonsense)
    const { length } = attachmentsIn(answer)
    if (length === 0) return on.expect(answer, 'A search without a match', { status: 404 })
    return on.claim(false, 'data', `A search without a match finds attachments (${length}).`)
  }),
  ofFound(['S4.5'], (on, found) => {
    const keyword = knownKeyword(on)
    const others = found.filter((one) => !JSON.stringify(one).toLowerCase().includes(keyword.toLowerCase()))
    const message = `The keyword ${quote(keyword)} occurs in none of the texts.`
    const counts = { count: others.length, of: found.length }
    if (others.length > 0) on.add('differs', ['S4.5', 'I-05'], { where: 'data[*]', message, ...counts })
  }),
  ofFound(['S4.8'], (on, found) => {
    const statuses = [...new Set(found.map((one) => member(one, 'status')))]
    const isThere = statuses.includes('protected')
    if (!isThere && found.length < ENOUGH) return on.unchecked('None of the few attachments found is protected.')
    const message = `The value 'protected' does not occur among ${statuses.map(valueText).join(', ')}.`
    return on.claim(isThere, 'data[*].status', message, { count: found.length, of: found.length })
  }),
  ofFound(['S4.3', 'S4.5'], async (on, [one]) => {
    const cites: Cites = ['S4.3']
    const texts = ['reference_number', 'file_name', 'name', 'category', 'type'].map((name) => member(one, name))
    const [second, third] = texts.filter((text) => typeof text === 'string' && text.trim() !== '') as string[]
    if (second === undefined || third === undefined) return
    for (const keywords of [[second], [second, third]]) {
      const answer = await search(on, knownKeyword(on), ...keywords)
      const call = `A search with ${keywords.length + 1} keywords of one attachment`
      if (!on.expect(answer, call, { cites, needsData: true })) return
      const isFound = idsOf(attachmentsIn(answer)).includes(member(one, 'id'))
      on.claim(isFound, 'data', `${call} does not find it.`)
    }
  }),
  ofFound(['S4.3', 'S4.5'], async (on) => {
    const [known, none] = [knownKeyword(on), on.session.data.nonsense]
    const finds = async (...keywords: readonly string[]) => attachmentsIn(await search(on, ...keywords)).length > 0
    const narrowed = await search(on, known, none)
    const value = attachmentsIn(narrowed).length === 0 ? 'all' : (await finds(none, known)) ? 'any' : undefined
    on.sees('keywordMatch', narrowed, value)
    // If all must match, one without a match finds nothing; if any may match, a known one finds something.
    on.claim(value !== undefined, 'data', 'The second keyword changes nothing.')
    const third = !(await finds(known, known, none)) || (await finds(none, none, known))
    on.claim(third, 'data', 'The third keyword changes nothing.')
  }),
  check(['S4.4', 'SE.1'], async (on) => {
    const answer = await search(on, ...Array(4).fill(knownKeyword(on)))
    on.expect(answer, 'A search with four keywords', { status: 400 })
  }),
  ofFound(['I-05'], async (on, found) => {
    const answer = await search(on, knownKeyword(on), '')
    on.seesStatus('emptyKeyword', answer, { 200: 'ignore', invalid: 'invalid' })
    if (found.some((one) => member(one, 'status') !== 'protected')) on.sees('attachmentStatus', await on.send(), 'any')
  }),
  ofFound(['S4.5'], async (on, found) => {
    const { tokenWithoutPermission } = on.session.sender.target
    const other = { header: 'authorization', whose: 'without permission' } as const
    const answer = tokenWithoutPermission === undefined ? undefined : await on.send({}, { token: other })
    const theirs = answer?.ok ? idsOf(attachmentsIn(answer)) : []
    if (answer === undefined || ![200, 404].includes(answer.status)) {
      const option = '--token-without-permission'
      const remedy =
        answer === undefined
          ? `Pass one's token with ${option}.`
          : `The call with ${option} is answered with ${answer.status}.`
      const message = `Only another user shows whose documents are found. ${remedy}`
      return on.add('unchecked', ['S4.5'], { message, decisive: true })
    }
    const isOwn = !idsOf(found).some((id) => theirs.includes(id))
    return on.claim(isOwn, 'data', "Another user finds this user's documents.")
  }),
  ofFound(['SA.3'], async (on, found) => {
    const answer = await on.send({}, { token: { header: 'user-token', whose: 'user' } })
    const isSame = !answer.ok || `${idsOf(found)}` === `${idsOf(attachmentsIn(answer))}`
    on.claim(isSame, 'data', "The token finds different attachments in 'user-token' than in 'Authorization'.")
  }),
]

export const searchProtectedAttachments: OperationKnowledge = { checks, shownByChecks: ['S4.8'] }
