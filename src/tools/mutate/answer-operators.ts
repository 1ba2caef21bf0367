import { sampleBody } from '../../engine/contract/bodies.js'
import { type Cite, statementsIn } from '../../engine/contract/cites.js'
import {
  type Contract,
  isRead,
  isSuccess,
  type Response,
  type Success,
  statusesOf,
} from '../../engine/contract/contract.js'
import { shownCites } from './field-operators.js'
import { changeAt } from './fields.js'
import type { Alteration } from './mutant.js'

/** The ways to make an answer as a whole untrue. */
export function answerAlterations(contract: Contract, status: number): readonly Alteration[] {
  const response = contract.responses[status] as Response
  const others = statusesOf(contract).filter((other) => other !== status)
  if (isSuccess(response)) {
    const shown = shownCites(response.schema)
    return [
      ...others.map((other) => withStatus(contract, other, shown)),
      ...effects(contract, shown, others.at(-1)),
      ...firstPage(contract),
      withoutLink(response),
    ]
  }
  const { anyStatus, namesParameter = [] } = response
  const altered = others.filter((other) => anyStatus === undefined || isSuccess(contract.responses[other]))
  const statements = statementsIn(response.cites)
  return [...altered.map((other) => withStatus(contract, other, statements)), withoutName(namesParameter)]
}

function withStatus(contract: Contract, status: number, cites: readonly Cite[]): Alteration {
  const altered = { status, body: sampleBody(contract, status) }
  return { place: 'answer', operator: `status-${status}`, cites, alter: () => altered, effect: 'none' }
}

function effects(contract: Contract, cites: readonly Cite[], failure: number | undefined): readonly Alteration[] {
  if (isRead(contract) || failure === undefined) return []
  const { effect: broken = [] } = contract
  return [
    { place: 'effect', operator: 'without-effect', cites: broken, alter: (answer) => answer, effect: 'none' },
    { ...withStatus(contract, failure, cites), place: 'effect', operator: `despite-${failure}`, effect: 'hidden' },
  ]
}

function firstPage({ paging, query }: Contract): readonly Alteration[] {
  if (paging === undefined) return []
  const { page } = paging
  return [
    {
      place: page,
      operator: 'not-turned',
      cites: query.properties[page] === undefined ? [] : shownCites(query.properties[page]),
      query: (sent) => (String(sent[page]) === '1' ? sent : { ...sent, [page]: 1 }),
      alter: (answer, { sent }) => ({ ...answer, body: changeAt(answer.body, [page], () => sent[page]) }),
      effect: 'none',
    },
  ]
}

function withoutName(cites: readonly Cite[]): Alteration {
  const unnamed = (text: unknown) => String(text).replace(/ '[\w[\]]+'/g, '')
  return {
    place: 'error.message',
    operator: 'unnamed',
    cites,
    alter: (answer) => ({ ...answer, body: changeAt(answer.body, ['error', 'message'], unnamed) }),
  }
}

function withoutLink({ link }: Success): Alteration {
  return {
    place: 'answer',
    operator: 'without-link',
    cites: link ?? [],
    alter: (answer) => ({ ...answer, body: withoutLinks(answer.body) }),
  }
}

function withoutLinks(body: unknown): unknown {
  const isLink = (value: unknown) => typeof value === 'string' && /^https?:/.test(value)
  return JSON.parse(JSON.stringify(body), (_, value) => (isLink(value) ? undefined : value))
}
