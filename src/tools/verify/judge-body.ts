import type { TSchema } from '@sinclair/typebox'
import { allCitesOf, type Cite } from '../../engine/contract/cites.js'
import { isRedirect } from '../../engine/contract/contract.js'
import { bodySchema, showsNoErrorBody } from '../../engine/contract/envelopes.js'
import { listAt, valueAt } from '../../engine/contract/json.js'
import { quote } from '../../engine/contract/wording.js'
import { checkAnswer, statusOfSchema } from '../../engine/judge/deviations.js'
import { forAllItems } from '../../engine/judge/fold-deviations.js'
import type { ReceivedAnswer } from './sender.js'
import { findPath, type TestedOperation } from './tested-operation.js'

export function judgeBody(operation: TestedOperation, answer: ReceivedAnswer): void {
  const { contract, session } = operation
  const { body, status, text } = answer
  const deviations = checkAnswer(contract, answer).filter(({ code }) => code !== 'undeclared-status')
  for (const deviation of deviations) {
    const { where: path, message: general, cites, basis, count, of } = forAllItems(deviation)
    const value = body === undefined ? text : valueAt(body, ...deviation.where.split('.').slice(1))
    const where = path.replace(/^body\./, '')
    const message = general
      .replace(quote(value), session.shapes.describeValue(value))
      .replace(`'${path}'`, where === 'body' ? 'The body' : `'${where}'`)
    operation.report(basis === 'documented' ? 'drift' : 'differs', cites, { where, message, count, of })
  }
  const declared = statusOfSchema(contract, status)
  if (body === undefined || declared === undefined || isRedirect(status)) return
  const isBodyOpen = showsNoErrorBody(contract) && !answer.ok
  const parts = isBodyOpen ? [] : partsOf(bodySchema(contract, declared), body)
  const { provenOnlyByChecks = [] } = operation.facts
  const skipped = new Set<Cite>([...provenOnlyByChecks, ...deviations.flatMap(({ cites }) => cites)])
  const cites = parts.flatMap(({ schema }) => (schema === undefined ? [] : allCitesOf(schema)))
  for (const cite of new Set([contract.conventions.json, ...cites])) if (!skipped.has(cite)) operation.reportOk([cite])
  for (const { where, value } of parts.filter(({ schema }) => schema === undefined)) {
    const type = value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
    session.undocumentedFields.set(`${contract.id}${where}`, { operation: contract.id, where, type })
  }
  if (!isBodyOpen && !answer.ok) judgeErrorStatus(operation, answer)
}

function judgeErrorStatus(operation: TestedOperation, { body, status }: ReceivedAnswer): void {
  const { documentedErrorBody, envelope } = operation.contract.conventions
  const path = findPath(status, envelope.body(status, ''))
  const value = path && valueAt(body, ...path)
  if (path === undefined || typeof value !== 'number') return
  const message = `It must be the status ${status}, not ${value}.`
  operation.assert(value === status, path.join('.'), message, { cites: [documentedErrorBody] })
}

interface BodyPart {
  readonly where: string
  readonly schema: TSchema | undefined
  readonly value: unknown
}

function partsOf(schema: TSchema | undefined, value: unknown, where = ''): readonly BodyPart[] {
  const whole = { where, schema, value }
  if (schema?.type === 'array')
    return [whole, ...listAt(value).flatMap((item) => partsOf(schema.items, item, `${where}[*]`))]
  if (schema?.properties === undefined || typeof value !== 'object' || value === null) return [whole]
  const fields = Object.entries(value).flatMap(([name, field]) =>
    partsOf(schema.properties[name], field, where === '' ? name : `${where}.${name}`),
  )
  return [whole, ...fields]
}
