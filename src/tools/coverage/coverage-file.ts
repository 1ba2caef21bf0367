import { Type } from '@sinclair/typebox'
import { contracts } from '../../../schemas/contracts.js'
import { oneOf } from '../../engine/contract/fields.js'
import { quote } from '../../engine/contract/wording.js'
import { readSource } from '../../engine/files/source-file.js'
import { requireSchema } from '../../engine/files/validate-source.js'
import type { RunReport } from './report.js'

/**
 * Reads a report that `exec --coverage FILE` wrote.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readReport(file: string): Promise<RunReport> {
  const source = await readSource(file)
  // Another version has other parts.
  await requireSchema(source, Head)
  const { outcomes } = source.data as { readonly outcomes?: unknown }
  const unknown = Object.keys(outcomes ?? {}).filter((id) => !OUTCOME.test(id))
  const complaints = unknown.map((id) => ({
    path: ['outcomes', id],
    message: `${quote(id)} is no outcome: it must be an operation and a status, such as verifyDocument:200.`,
    about: 'key' as const,
  }))
  await requireSchema(source, Parts, source.data, complaints)
  return source.data as RunReport
}

/** Also those that other interpretations declare. */
const OUTCOME = new RegExp(`^(?:${contracts.map(({ id }) => id).join('|')}):\\d{3}$`)

const Head = Type.Object({ kind: Type.Literal('countersign coverage'), version: Type.Literal(1) })

const Total = Type.Integer({ minimum: 0 })
const Times = Type.Integer({ minimum: 1 })
const Totals = Type.Record(Type.String(), Total)
const OptionalText = Type.Optional(Type.String())

const TextOrNull = Type.Union([Type.String(), Type.Null()], { 'x-allowed': 'text or null' })

const Mistake = Type.Object({
  code: Type.String(),
  message: Type.String(),
  where: Type.String(),
  test: OptionalText,
  file: OptionalText,
  count: Times,
})

const Violation = Type.Composite([
  Mistake,
  Type.Object({
    operation: TextOrNull,
    request: Type.String(),
    fix: Type.String(),
    basis: oneOf(['documented', 'interpretation', 'suspicious']),
    rule: OptionalText,
    corrected: OptionalText,
    refusedWith: Type.Optional(Type.Integer()),
  }),
])

const Deviation = Type.Composite([
  Mistake,
  Type.Object({
    outcome: Type.String(),
    basis: oneOf(['documented', 'interpretation']),
    cites: Type.Array(Type.String(), { minItems: 1 }),
    of: Type.Optional(Times),
  }),
])

const Parts = Type.Object({
  calls: Total,
  root: Total,
  sandboxes: Total,
  checked: Total,
  forwarded: Total,
  failure: TextOrNull,
  outcomes: Type.Record(
    Type.String(),
    Type.Object({ count: Times, causes: Type.Record(Type.String(), Times, { minProperties: 1 }) }),
  ),
  violations: Type.Array(Violation),
  deviations: Type.Array(Deviation),
  unmatched: Totals,
  unanswered: Totals,
  rules: Totals,
})
