import type { Cites } from '../../../schemas/cites.js'
import { quote } from '../../text/wording.js'
import type { Answer } from '../client.js'
import { valueText } from '../interpretations/words.js'
import { isSuccess, items, member, type Operation } from '../session.js'
import type { Check } from './check.js'

/** A search with other keywords than the known one. */
export function search(on: Operation, keywords: readonly string[]): Promise<Answer> {
  const others = Object.keys(on.complete.query).filter((name) => name.startsWith('keyword'))
  const named = keywords.map((keyword, at) => [`keyword[sample_${at + 1}]`, keyword])
  return on.send({
    query: { ...Object.fromEntries(others.map((name) => [name, undefined])), ...Object.fromEntries(named) },
  })
}

/** A keyword that is to match something. */
export const knownKeyword = ({ complete }: Operation) => complete.query['keyword[sample_1]'] ?? ''

export const attachmentsIn = (answer: Answer) => (isSuccess(answer) ? items(member(answer.body, 'data')) : [])

const NONE_FOUND = 'No attachment is found. Name a keyword that matches some with --data FILE.'
/** Attachments among which one must be protected, since protected ones are searched. */
const ENOUGH = 3

/** The texts of an attachment that a search for it may have, the rarest first. */
function textsOf(attachment: unknown): string[] {
  return ['reference_number', 'file_name', 'name', 'category', 'type']
    .map((name) => member(attachment, name))
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** A check that looks at what the known keyword finds. */
const ofFound = (cites: Cites, look: (on: Operation, found: readonly unknown[]) => unknown): Check => ({
  cites,
  run: async (on) => {
    const found = attachmentsIn(await on.send())
    if (found.length === 0) on.unchecked(cites, NONE_FOUND)
    else await look(on, found)
  },
})

export const searchProtectedAttachments: readonly Check[] = [
  {
    cites: ['S4.5', 'SE.3'],
    async run(on) {
      const answer = await search(on, [on.session.values.nonsense])
      const call = 'A search without a match'
      const { length } = attachmentsIn(answer)
      if (length === 0) on.expect(answer, { status: 404, cites: this.cites, call })
      else on.claim(false, { cites: this.cites, where: 'data', message: `${call} finds ${length} attachments.` })
    },
  },
  ofFound(['S4.5'], (on, found) => {
    const keyword = knownKeyword(on)
    const others = found.filter((one) => !JSON.stringify(one).toLowerCase().includes(keyword.toLowerCase()))
    if (others.length === 0) return on.claim(true, { cites: ['S4.5'] })
    const message = `The keyword ${quote(keyword)} occurs in none of the texts.`
    const counts = { count: others.length, of: found.length }
    return on.add('differs', { cites: ['S4.5', 'I-05'], where: 'data[*]', message, ...counts })
  }),
  ofFound(['S4.8'], (on, found) => {
    const statuses = [...new Set(found.map((one) => member(one, 'status')))]
    const isThere = statuses.includes('protected')
    if (!isThere && found.length < ENOUGH)
      return on.unchecked(['S4.8'], 'None of the few attachments found is protected.')
    const message = `The value 'protected' does not occur among ${statuses.map(valueText).join(', ')}.`
    const counts = { count: found.length, of: found.length }
    return on.claim(isThere, { cites: ['S4.8'], where: 'data[*].status', message, ...counts })
  }),
  ofFound(['S4.3', 'S4.5'], async (on, [one]) => {
    const [second, third] = textsOf(one)
    if (second === undefined || third === undefined) return on.unchecked(['S4.3'], NONE_FOUND)
    for (const keywords of [[second], [second, third]]) {
      const answer = await search(on, [knownKeyword(on), ...keywords])
      const call = `A search with ${keywords.length + 1} keywords of one attachment`
      if (!on.expect(answer, { cites: ['S4.3'], call, needsData: true })) return
      const isFound = attachmentsIn(answer).some((other) => member(other, 'id') === member(one, 'id'))
      on.claim(isFound, { cites: ['S4.3', 'S4.5'], where: 'data', message: `${call} does not find it.` })
    }
  }),
  ofFound(['S4.3', 'S4.5'], async (on) => {
    const [known, none] = [knownKeyword(on), on.session.values.nonsense]
    const finds = async (...keywords: readonly string[]) => attachmentsIn(await search(on, keywords)).length > 0
    for (const [nth, narrowing, widening] of [
      ['second', [known, none], [none, known]],
      ['third', [known, known, none], [none, none, known]],
    ] as const) {
      // Where all must match, one without a match finds nothing; where any may match, a known one finds something.
      const hasEffect = !(await finds(...narrowing)) || (await finds(...widening))
      on.claim(hasEffect, { cites: ['S4.3', 'S4.5'], where: 'data', message: `The ${nth} keyword changes nothing.` })
    }
  }),
  {
    cites: ['S4.4', 'SE.1'],
    async run(on) {
      const answer = await search(on, Array(4).fill(knownKeyword(on)))
      on.expect(answer, { status: on.contract.invalid, cites: this.cites, call: 'A search with four keywords' })
    },
  },
  ofFound(['SA.3'], async (on, found) => {
    const answer = await on.send({}, { token: { header: 'user-token', whose: 'user' } })
    if (!isSuccess(answer)) return
    const ids = (all: readonly unknown[]) => JSON.stringify(all.map((one) => member(one, 'id')))
    const message = "The token finds different attachments in 'user-token' than in 'Authorization'."
    on.claim(ids(found) === ids(attachmentsIn(answer)), { cites: ['SA.3'], where: 'data', message })
  }),
]
