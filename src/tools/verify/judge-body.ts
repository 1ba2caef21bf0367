import type { TSchema } from '@sinclair/typebox'
import { conventions } from '../../../schemas/conventions.js'
import { errorsAreOpen } from '../../api/switches.js'
import { bodySchema } from '../../engine/contract/bodies.js'
import { allCitesOf, type Cite } from '../../engine/contract/cites.js'
import { quote } from '../../engine/contract/wording.js'
import { isRedirect } from '../../engine/files/scenario.js'
import { checkAnswer, declaredStatus } from '../../engine/judge/deviations.js'
import { foldDeviations } from '../../engine/judge/fold-deviations.js'
import { valueText } from './interpretations/shapes.js'
import type { ReceivedAnswer } from './sender.js'
import { items, member, type TestedOperation } from './tested-operation.js'

/** Compares the body of an answer with the contract. */
export function judgeBody(on: TestedOperation, answer: ReceivedAnswer): void {
  const { contract, session } = on
  const { body, status, text } = answer
  const deviations = checkAnswer(contract, answer).filter(({ code }) => code !== 'undeclared-status')
  for (const { where, first, cites, basis, message, count, of } of foldDeviations(deviations, body)) {
    const value = body === undefined ? text : member(body, ...first.split('.').slice(1))
    const place = where.replace(/^body\./, '')
    const words = message
      .replace(quote(value), valueText(value))
      .replace(`'${where}'`, place === 'body' ? 'The body' : `'${place}'`)
    on.add(basis === 'documented' ? 'drift' : 'differs', cites, {
      where: place,
      message: words,
      count,
      of: of ?? count,
    })
  }
  const declared = declaredStatus(contract, status)
  if (body === undefined || declared === undefined || isRedirect(status)) return
  const isOpen = errorsAreOpen(contract) && !answer.ok
  const parts = isOpen ? [] : partsOf(bodySchema(contract, declared), body)
  const { shownByChecks = [] } = on.own
  const unproven = new Set<Cite>([...shownByChecks, ...deviations.flatMap(({ cites }) => cites)])
  const held = new Set([conventions.json, ...parts.flatMap(({ schema }) => (schema ? allCitesOf(schema) : []))])
  for (const cite of held) if (!unproven.has(cite)) on.holds([cite])
  for (const { place: where, value } of parts.filter(({ schema }) => schema === undefined)) {
    const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
    session.additional.set(`${contract.id}${where}`, { operation: contract.id, where, type })
  }
  const code = member(body, 'error', 'code')
  if (!isOpen && !answer.ok && typeof code === 'number')
    on.claim(code === status, 'error.code', `It must be the status ${status}, not ${code}.`, {
      cites: [conventions.errorBody],
    })
}

interface BodyPart {
  readonly place: string
  /** Undefined for an additional field. */
  readonly schema: TSchema | undefined
  readonly value: unknown
}

export function partsOf(schema: TSchema | undefined, value: unknown, place = ''): readonly BodyPart[] {
  const own = { place, schema, value }
  if (schema?.type === 'array')
    return [own, ...items(value).flatMap((item) => partsOf(schema.items, item, `${place}[*]`))]
  if (schema?.properties === undefined || typeof value !== 'object' || value === null) return [own]
  const inner = Object.entries(value).flatMap(([name, one]) =>
    partsOf(schema.properties[name], one, place === '' ? name : `${place}.${name}`),
  )
  return [own, ...inner]
}
