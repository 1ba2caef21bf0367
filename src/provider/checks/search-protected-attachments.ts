import type { Cites } from '../../../schemas/cites.js'
import { quote } from '../../text/wording.js'
import { valueText } from '../interpretations/words.js'
import type { Answer } from '../sender.js'
import { isSuccess, items, member, type Operation } from '../session.js'
import { type Check, check } from './check.js'

/** A search with other keywords than the known one. */
function search(on: Operation, ...keywords: readonly string[]): Promise<Answer> {
  const others = Object.keys(on.complete.query).filter((name) => name.startsWith('keyword'))
  const named = keywords.map((keyword, at) => [`keyword[sample_${at + 1}]`, keyword])
  return on.send({ query: Object.fromEntries([...others.map((name) => [name, undefined]), ...named]) })
}

const knownKeyword = ({ complete }: Operation) => complete.query['keyword[sample_1]'] ?? ''

export const attachmentsIn = (answer: Answer) => (isSuccess(answer) ? items(member(answer.body, 'data')) : [])

const NONE_FOUND = 'No attachment is found. Name a keyword that matches some with --data FILE.'
/** Attachments among which one must be protected, since protected ones are searched. */
const ENOUGH = 3

const ofFound = (cites: Cites, look: (on: Operation, found: readonly unknown[]) => unknown): Check =>
  check(cites, async (on) => {
    const found = attachmentsIn(await on.send())
    return found.length === 0 ? on.unchecked(cites, NONE_FOUND) : look(on, found)
  })

const idsOf = (found: readonly unknown[]) => found.map((one) => member(one, 'id'))

export const searchProtectedAttachments: readonly Check[] = [
  check(['S4.5', 'SE.3'], async (on, cites) => {
    const answer = await search(on, on.session.values.nonsense)
    const { length } = attachmentsIn(answer)
    if (length === 0) return on.expect(answer, 'A search without a match', cites, { status: 404 })
    return on.claim(false, cites, 'data', `A search without a match finds ${length} attachments.`)
  }),
  ofFound(['S4.5'], (on, found) => {
    const keyword = knownKeyword(on)
    const others = found.filter((one) => !JSON.stringify(one).toLowerCase().includes(keyword.toLowerCase()))
    if (others.length === 0) return on.holds(['S4.5'])
    const message = `The keyword ${quote(keyword)} occurs in none of the texts.`
    const counts = { count: others.length, of: found.length }
    return on.add('differs', ['S4.5', 'I-05'], { where: 'data[*]', message, ...counts })
  }),
  ofFound(['S4.8'], (on, found) => {
    const statuses = [...new Set(found.map((one) => member(one, 'status')))]
    const isThere = statuses.includes('protected')
    if (!isThere && found.length < ENOUGH)
      return on.unchecked(['S4.8'], 'None of the few attachments found is protected.')
    const message = `The value 'protected' does not occur among ${statuses.map(valueText).join(', ')}.`
    return on.claim(isThere, ['S4.8'], 'data[*].status', message, { count: found.length, of: found.length })
  }),
  ofFound(['S4.3', 'S4.5'], async (on, [one]) => {
    const texts = ['reference_number', 'file_name', 'name', 'category', 'type'].map((name) => member(one, name))
    const [second, third] = texts.filter((text) => typeof text === 'string' && text.trim() !== '') as string[]
    if (second === undefined || third === undefined) return on.unchecked(['S4.3'], NONE_FOUND)
    for (const keywords of [[second], [second, third]]) {
      const answer = await search(on, knownKeyword(on), ...keywords)
      const call = `A search with ${keywords.length + 1} keywords of one attachment`
      if (!on.expect(answer, call, ['S4.3'], { needsData: true })) return
      const isFound = idsOf(attachmentsIn(answer)).includes(member(one, 'id'))
      on.claim(isFound, ['S4.3', 'S4.5'], 'data', `${call} does not find it.`)
    }
  }),
  ofFound(['S4.3', 'S4.5'], async (on) => {
    const [known, none] = [knownKeyword(on), on.session.values.nonsense]
    const finds = async (...keywords: readonly string[]) => attachmentsIn(await search(on, ...keywords)).length > 0
    const narrowed = await search(on, known, none)
    const value = attachmentsIn(narrowed).length === 0 ? 'all' : (await finds(none, known)) ? 'any' : undefined
    on.sees('keywordMatch', narrowed, value)
    // Where all must match, one without a match finds nothing; where any may match, a known one finds something.
    on.claim(value !== undefined, ['S4.3', 'S4.5'], 'data', 'The second keyword changes nothing.')
    const third = !(await finds(known, known, none)) || (await finds(none, none, known))
    on.claim(third, ['S4.3', 'S4.5'], 'data', 'The third keyword changes nothing.')
  }),
  check(['S4.4', 'SE.1'], async (on, cites) => {
    const answer = await search(on, ...Array(4).fill(knownKeyword(on)))
    on.expect(answer, 'A search with four keywords', cites, { status: on.contract.invalid })
  }),
  ofFound(['I-05'], async (on, found) => {
    const answer = await search(on, knownKeyword(on), '')
    on.sees('emptyKeyword', answer, on.invalidOr(answer, 'ignore'))
    if (found.some((one) => member(one, 'status') !== 'protected')) on.sees('attachmentStatus', await on.send(), 'any')
  }),
  ofFound(['SA.3'], async (on, found) => {
    const answer = await on.send({}, { token: { header: 'user-token', whose: 'user' } })
    const isSame = !isSuccess(answer) || `${idsOf(found)}` === `${idsOf(attachmentsIn(answer))}`
    on.claim(isSame, ['SA.3'], 'data', "The token finds different attachments in 'user-token' than in 'Authorization'.")
  }),
]
