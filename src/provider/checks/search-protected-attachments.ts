import type { Contract } from '../../../schemas/contract.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { quote } from '../../text/wording.js'
import type { Answer } from '../calls/send.js'
import { valueText } from '../shape.js'
import type { OperationChecks } from './check.js'
import { judge, judgeBody } from './judge.js'
import { isUnknownData, notThere } from './known-data.js'
import { isSuccess, items, member, type Session, send } from './session.js'

type Keywords = readonly string[]

const FIRST = 'keyword[sample_1]'

/** A search with other keywords than the user's, or the example's. */
export function search(session: Session, contract: Contract, keywords: Keywords, offset = 1): Promise<Answer> {
  return send(session, contract, (complete) => {
    const kept = Object.entries(complete.query).filter(([name]) => !name.startsWith('keyword'))
    const named = keywords.map((keyword, at) => [`keyword[sample_${at + offset}]`, keyword] as const)
    return { ...complete, query: { ...Object.fromEntries(kept), ...Object.fromEntries(named) } }
  })
}

/** The keyword that is known to match something. */
export const knownKeyword = ({ values }: Session, contract: Contract) => values.complete(contract).query[FIRST] ?? ''

export const attachmentsIn = ({ body }: Answer) => items(member(body, 'data'))

const NONE_FOUND = 'No attachment is found. Name a keyword that matches some with --data FILE.'

/** Words of an attachment that a search for it may have, the rarest first. */
function wordsOf(attachment: unknown): string[] {
  return ['reference_number', 'file_name', 'name', 'category', 'type']
    .map((name) => member(attachment, name))
    .filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}

/** Attachments among which one that is protected must be, since it is these that are searched. */
const ENOUGH = 3
const TOO_FEW = 'None of the few attachments found is protected.'

/** What the document says of keywords, and of what they find. */
export const searchProtectedAttachments: OperationChecks = [
  {
    cites: ['S4.5', 'SE.3'],
    run: async (session, contract) => {
      const answer = await search(session, contract, [session.values.nonsense])
      const call = 'A search without a match'
      if (isSuccess(answer) && attachmentsIn(answer).length > 0)
        session.findings.drifts({
          cites: ['S4.5', 'SE.3'],
          operation: contract.id,
          where: 'data',
          message: `${call} finds ${attachmentsIn(answer).length} attachments.`,
        })
      else judge(session, answer, { status: 404, cites: ['SE.3', 'S4.5'], call })
    },
  },
  {
    cites: ['S4.5', 'S4.8'],
    run: async (session, contract) => {
      const keyword = knownKeyword(session, contract)
      const answer = await send(session, contract)
      if (!isSuccess(answer)) return
      const found = attachmentsIn(answer)
      if (found.length === 0) return session.findings.unchecked(['S4.5', 'S4.8'], contract.id, NONE_FOUND)
      const others = found.filter((one) => !JSON.stringify(one).toLowerCase().includes(keyword.toLowerCase()))
      if (others.length === 0) session.findings.holds(['S4.5'], contract.id)
      else
        session.findings.differs({
          cites: ['S4.5', 'I-05'],
          operation: contract.id,
          where: 'data[*]',
          message: `The keyword ${quote(keyword)} occurs in none of the texts.`,
          count: others.length,
          of: found.length,
        })
      const statuses = [...new Set(found.map((one) => member(one, 'status')))]
      if (statuses.includes('protected')) session.findings.holds(['S4.8'], contract.id)
      else if (found.length < ENOUGH) session.findings.unchecked(['S4.8'], contract.id, TOO_FEW)
      else if (statuses.every((one) => typeof one === 'string'))
        session.findings.drifts({
          cites: ['S4.8'],
          operation: contract.id,
          where: 'data[*].status',
          message: `The value 'protected' does not occur among ${statuses.map(valueText).join(', ')}.`,
          count: found.length,
          of: found.length,
        })
    },
  },
  {
    cites: ['S4.3', 'S4.5'],
    run: async (session, contract) => {
      const keyword = knownKeyword(session, contract)
      const first = await send(session, contract)
      const [one] = isSuccess(first) ? attachmentsIn(first) : []
      const [second, third] = wordsOf(one)
      if (second === undefined || third === undefined)
        return session.findings.unchecked(['S4.3'], contract.id, NONE_FOUND)
      for (const keywords of [
        [keyword, second],
        [keyword, second, third],
      ]) {
        const answer = await search(session, contract, keywords)
        const call = `A search with ${keywords.length} keywords of one attachment`
        if (isUnknownData(session, answer)) return notThere(session, answer, ['S4.3'])
        if (!judge(session, answer, { status: successStatusOf(contract), cites: ['S4.3'], call })) return
        if (!attachmentsIn(answer).some((found) => member(found, 'id') === member(one, 'id')))
          session.findings.drifts({
            cites: ['S4.3', 'S4.5'],
            operation: contract.id,
            where: 'data',
            message: `${call} does not find it.`,
          })
      }
    },
  },
  {
    cites: ['S4.3', 'S4.5'],
    run: async (session, contract) => {
      const [known, none] = [knownKeyword(session, contract), session.values.nonsense]
      const first = await send(session, contract)
      if (!isSuccess(first) || attachmentsIn(first).length === 0)
        return session.findings.unchecked(['S4.3'], contract.id, NONE_FOUND)
      const found = async (...keywords: Keywords) => attachmentsIn(await search(session, contract, keywords)).length > 0
      for (const [nth, narrowing, widening] of [
        ['second', [known, none], [none, known]],
        ['third', [known, known, none], [none, none, known]],
      ] as const) {
        // One that must match takes away what does not; one of several that may match adds what does.
        if (!(await found(...narrowing)) || (await found(...widening))) session.findings.holds(['S4.3'], contract.id)
        else
          session.findings.drifts({
            cites: ['S4.3', 'S4.5'],
            operation: contract.id,
            where: 'data',
            message: `The ${nth} keyword changes nothing.`,
          })
      }
    },
  },
  {
    cites: ['S4.4'],
    run: async (session, contract) => {
      const keyword = knownKeyword(session, contract)
      const answer = await search(session, contract, [keyword, keyword, keyword, keyword])
      judge(session, answer, { status: contract.invalid, cites: ['S4.4', 'SE.1'], call: 'A search with four keywords' })
    },
  },
  {
    cites: ['SA.3'],
    run: async (session, contract) => {
      const token = { header: 'user-token', whose: 'user' } as const
      const [one, other] = [await send(session, contract), await send(session, contract, undefined, { token })]
      if (!isSuccess(one) || !isSuccess(other)) return
      judgeBody(session, other)
      const ids = (answer: Answer) => JSON.stringify(attachmentsIn(answer).map((found) => member(found, 'id')))
      if (ids(one) === ids(other)) session.findings.holds(['SA.3'], contract.id)
      else
        session.findings.drifts({
          cites: ['SA.3'],
          operation: contract.id,
          where: 'data',
          message: "The token finds different attachments in 'user-token' than in 'Authorization'.",
        })
    },
  },
]
