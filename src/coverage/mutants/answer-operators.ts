import { sampleBody } from '../../../schemas/bodies.js'
import { type Cite, isStatement } from '../../../schemas/cites.js'
import { type Contract, isRead, isSuccess, type Response, statusesOf } from '../../../schemas/contract.js'
import { shown } from './field-operators.js'
import { changeAt, LEFT_OUT } from './fields.js'
import type { Alteration, Answer } from './mutant.js'

/** An alteration whose cites may be none: then the document leaves it open. */
type Candidate = Omit<Alteration, 'cites'> & { readonly cites: readonly Cite[] }
/** The ways to make an answer as a whole untrue, by what they alter. */
type AnswerOperator = (contract: Contract, status: number) => readonly Candidate[]

/** What an operation that changes something does, and what says so. */
const EFFECTS: Readonly<Record<string, readonly Cite[]>> = {
  uploadSignature: ['S1.8'],
  updateSubOrganizationMember: ['S2.6'],
  addOrganizationMember: ['S6.6'],
  createSigningLink: ['S7.5'],
}

const same = (answer: Answer) => answer

export const answerOperators: readonly AnswerOperator[] = [
  // Each other declared status; of an error that may have any status, a success alone.
  (contract, status) =>
    others(contract, status)
      .filter((other) => isTold(contract, status) || isSuccess(contract.responses[other]))
      .map((other) => ({
        status,
        place: 'answer',
        operator: `status-${other}`,
        cites: citesOfOutcome(contract, status),
        alter: () => ({ status: other, body: sampleBody(contract, other) }),
        effect: 'none',
      })),
  // An effect that does not take place, and one that does although the answer denies it.
  (contract, status) => {
    if (isRead(contract) || !isSuccess(contract.responses[status])) return []
    const cites = EFFECTS[contract.id] ?? contract.cites.filter(isStatement)
    const failure = others(contract, status).at(-1)
    return [
      { status, place: 'effect', operator: 'without-effect', cites, alter: same, effect: 'none' },
      ...(failure === undefined
        ? []
        : [
            {
              status,
              place: 'effect',
              operator: `despite-${failure}`,
              cites: citesOfOutcome(contract, status),
              alter: () => ({ status: failure, body: sampleBody(contract, failure) }),
              effect: 'hidden' as const,
            },
          ]),
    ]
  },
  // The first page, whichever one was asked for.
  ({ paging, query, responses }, status) => {
    if (paging === undefined || !isSuccess(responses[status])) return []
    const { page } = paging
    return [
      {
        status,
        place: page,
        operator: 'not-turned',
        cites: query.properties[page] === undefined ? [] : shown(query.properties[page]),
        query: (sent) => ({ ...sent, [page]: 1 }),
        alter: (answer, { sent }) => ({ ...answer, body: changeAt(answer.body, [page], () => sent[page]) }),
        effect: 'none',
      },
    ]
  },
  // An error that does not say which parameter it is about.
  ({ responses }, status) => {
    const { cites } = responses[status] as Response
    return [
      {
        status,
        place: 'error.message',
        operator: 'unnamed',
        cites: cites.filter((cite) => cite === 'SE.8'),
        alter: (answer) => ({
          ...answer,
          body: changeAt(answer.body, ['error', 'message'], (text) => String(text).replace(/ '[\w[\]]+'/g, '')),
        }),
      },
    ]
  },
  // A link that is not there, whatever it is called.
  ({ responses }, status) => {
    const response = responses[status]
    if (!isSuccess(response)) return []
    return [
      {
        status,
        place: 'answer',
        operator: 'without-link',
        cites: shown(response.schema).filter((cite) => cite === 'S7.4'),
        alter: (answer) => ({ ...answer, body: withoutLinks(answer.body) }),
      },
    ]
  },
]

function others(contract: Contract, status: number): readonly number[] {
  return statusesOf(contract).filter((other) => other !== status)
}

/** Whether the document says which status it is. */
function isTold({ responses }: Contract, status: number): boolean {
  return (
    isSuccess(responses[status]) ||
    responses[status]?.cites.some((cite) => isStatement(cite) && cite !== 'S7.6') === true
  )
}

/** What says that an outcome is what is due. */
function citesOfOutcome({ responses }: Contract, status: number): readonly Cite[] {
  const response = responses[status] as Response
  return isSuccess(response) ? shown(response.schema) : response.cites.filter(isStatement)
}

function withoutLinks(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  let without: unknown = body
  for (const [name, value] of Object.entries(body)) {
    const isLink = typeof value === 'string' && /^https?:/.test(value)
    without = changeAt(without, [name], () => (isLink ? LEFT_OUT : withoutLinks(value)))
  }
  return without
}
