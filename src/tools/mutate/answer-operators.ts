import { type Cite, statementsIn } from '../../engine/contract/cites.js'
import type { Contract, Failure, Response } from '../../engine/contract/contract.js'
import { isReadOnly, isSuccess, statusesOf } from '../../engine/contract/contract.js'
import { bodySchema, sampleBody } from '../../engine/contract/envelopes.js'
import { citedStatements } from './field-operators.js'
import { changeAt, fieldAt, fieldsOf } from './fields.js'
import type { Alteration } from './mutant.js'

export function answerAlterations(contract: Contract, status: number): readonly Alteration[] {
  const response = contract.responses[status] as Response
  const others = statusesOf(contract).filter((other) => other !== status)
  if (isSuccess(response)) {
    const bodyCites = citedStatements(response.schema)
    return [
      ...others.map((other) => alterStatus(contract, other, bodyCites)),
      ...alterEffects(contract, bodyCites, others.at(-1)),
      ...alterPages(contract),
      {
        kind: 'values',
        place: 'answer',
        operator: 'without-link',
        cites: response.linkCites ?? [],
        alter: (answer) => ({ ...answer, body: withoutLinks(answer.body) }),
      },
    ]
  }
  const { anyStatusCites } = response
  // Any error may stand in for a response whose status is open.
  const wrongStatuses = others.filter((other) => anyStatusCites === undefined || isSuccess(contract.responses[other]))
  const statements = statementsIn(response.cites)
  return [
    ...wrongStatuses.map((other) => alterStatus(contract, other, statements)),
    ...alterMessage(contract, status, response),
  ]
}

function alterStatus(contract: Contract, status: number, cites: readonly Cite[]): Alteration {
  const altered = { status, body: sampleBody(contract, status) }
  return {
    kind: 'statuses',
    place: 'answer',
    operator: `status-${status}`,
    cites,
    alter: () => altered,
    effect: 'none',
  }
}

function alterEffects(
  contract: Contract,
  cites: readonly Cite[],
  failureStatus: number | undefined,
): readonly Alteration[] {
  if (isReadOnly(contract) || failureStatus === undefined) return []
  const { effectCites = [] } = contract
  const common = { kind: 'effects', place: 'effect' } as const
  return [
    { ...common, operator: 'without-effect', cites: effectCites, alter: (answer) => answer, effect: 'none' },
    {
      ...alterStatus(contract, failureStatus, cites),
      ...common,
      operator: `despite-${failureStatus}`,
      effect: 'hidden',
    },
  ]
}

function alterPages({ paging, query }: Contract): readonly Alteration[] {
  if (paging === undefined) return []
  const { page } = paging
  return [
    {
      kind: 'order and pages',
      place: page,
      operator: 'always-first-page',
      cites: query.properties[page] === undefined ? [] : citedStatements(query.properties[page]),
      query: (sent) => (String(sent[page]) === '1' ? sent : { ...sent, [page]: 1 }),
      alter: (answer, { sent }) => ({ ...answer, body: changeAt(answer.body, [page], () => sent[page]) }),
      effect: 'none',
    },
  ]
}

function alterMessage(contract: Contract, status: number, response: Failure): readonly Alteration[] {
  const schema = bodySchema(contract, status)
  const sample = sampleBody(contract, status)
  const isMessage = (path: readonly string[]) => String(fieldAt(sample, path)).includes(response.message)
  const path = schema && fieldsOf(schema).find((field) => isMessage(field.path))?.path
  if (path === undefined) return []
  const withoutNames = (text: unknown) => String(text).replace(/ '[\w[\]]+'/g, '')
  return [
    {
      kind: 'values',
      place: path.join('.'),
      operator: 'unnamed',
      cites: response.parameterNameCites ?? [],
      alter: (answer) => ({ ...answer, body: changeAt(answer.body, path, withoutNames) }),
    },
  ]
}

function withoutLinks(body: unknown): unknown {
  const isLink = (value: unknown) => typeof value === 'string' && /^https?:/.test(value)
  return JSON.parse(JSON.stringify(body), (_, value) => (isLink(value) ? undefined : value))
}
