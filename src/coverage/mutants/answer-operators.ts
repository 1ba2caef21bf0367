import { sampleBody } from '../../../schemas/bodies.js'
import { type Cite, isStatement } from '../../../schemas/cites.js'
import { type Contract, isRead, isSuccess, type Response, statusesOf } from '../../../schemas/contract.js'
import { shownCites } from './field-operators.js'
import { changeAt, LEFT_OUT } from './fields.js'
import type { Alteration, PlainAnswer } from './mutant.js'

/** An alteration that may cite nothing: then the document leaves it open. */
type AnswerAlteration = Omit<Alteration, 'cites' | 'status'> & { readonly cites: readonly Cite[] }

const EFFECTS: Readonly<Record<string, readonly Cite[]>> = {
  uploadSignature: ['S1.8'],
  updateSubOrganizationMember: ['S2.6'],
  addOrganizationMember: ['S6.6'],
  createSigningLink: ['S7.5'],
}

/** The ways to make an answer as a whole untrue. */
export function answerAlterations(contract: Contract, status: number): readonly AnswerAlteration[] {
  const response = contract.responses[status] as Response
  const others = statusesOf(contract).filter((other) => other !== status)
  const statements = response.cites.filter(isStatement)
  const cites = isSuccess(response) ? shownCites(response.schema) : statements
  const withStatus = (other: number) => () => ({ status: other, body: sampleBody(contract, other) })
  // An error that may have any status ("4xx or 5xx") is altered to a success alone.
  const isOpen = !isSuccess(response) && statements.every((cite) => cite === 'S7.6')
  const otherStatuses = others
    .filter((other) => !isOpen || isSuccess(contract.responses[other]))
    .map((other) => ({
      place: 'answer',
      operator: `status-${other}`,
      cites,
      alter: withStatus(other),
      effect: 'none' as const,
    }))
  if (!isSuccess(response)) return [...otherStatuses, withoutName(statements)]
  const link = shownCites(response.schema).filter((cite) => cite === 'S7.4')
  const withoutLink: AnswerAlteration = {
    place: 'answer',
    operator: 'without-link',
    cites: link,
    alter: (answer) => ({ ...answer, body: withoutLinks(answer.body) }),
  }
  return [...otherStatuses, ...effects(contract, cites, others.at(-1), withStatus), ...firstPage(contract), withoutLink]
}

function effects(
  contract: Contract,
  cites: readonly Cite[],
  failure: number | undefined,
  withStatus: (status: number) => () => PlainAnswer,
): readonly AnswerAlteration[] {
  if (isRead(contract)) return []
  const place = 'effect'
  const effect = EFFECTS[contract.id] ?? contract.cites.filter(isStatement)
  const alter = (answer: PlainAnswer) => answer
  const without: AnswerAlteration = { place, operator: 'without-effect', cites: effect, alter, effect: 'none' }
  if (failure === undefined) return [without]
  return [without, { place, operator: `despite-${failure}`, cites, alter: withStatus(failure), effect: 'hidden' }]
}

function firstPage({ paging, query }: Contract): readonly AnswerAlteration[] {
  if (paging === undefined) return []
  const { page } = paging
  return [
    {
      place: page,
      operator: 'not-turned',
      cites: query.properties[page] === undefined ? [] : shownCites(query.properties[page]),
      query: (sent) => ({ ...sent, [page]: 1 }),
      alter: (answer, { sent }) => ({ ...answer, body: changeAt(answer.body, [page], () => sent[page]) }),
      effect: 'none',
    },
  ]
}

function withoutName(cites: readonly Cite[]): AnswerAlteration {
  const unnamed = (text: unknown) => String(text).replace(/ '[\w[\]]+'/g, '')
  return {
    place: 'error.message',
    operator: 'unnamed',
    cites: cites.filter((cite) => cite === 'SE.8'),
    alter: (answer) => ({ ...answer, body: changeAt(answer.body, ['error', 'message'], unnamed) }),
  }
}

function withoutLinks(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  return Object.entries(body).reduce<unknown>((without, [name, value]) => {
    const isLink = typeof value === 'string' && /^https?:/.test(value)
    return changeAt(without, [name], () => (isLink ? LEFT_OUT : withoutLinks(value)))
  }, body)
}
