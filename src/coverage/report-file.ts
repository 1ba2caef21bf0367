import { Type } from '@sinclair/typebox'
import { readSource } from '../text/source-file.js'
import { requireSchema } from '../validation/explain.js'
import type { RunReport } from './report.js'

/**
 * Reads a report that `exec --coverage FILE` wrote.
 * @throws {InvalidFiles} with every complaint about it
 */
export async function readReport(file: string): Promise<RunReport> {
  const source = await readSource(file)
  await requireSchema(source, ReportFile)
  return source.data as RunReport
}

const Counts = Type.Record(Type.String(), Type.Integer({ minimum: 0 }))

const ReportFile = Type.Object({
  kind: Type.Literal('countersign coverage'),
  version: Type.Literal(1),
  calls: Type.Optional(Type.Integer({ minimum: 0 })),
  outcomes: Type.Record(Type.String(), Type.Object({ count: Type.Integer(), causes: Counts })),
  optional: Counts,
  pages: Counts,
  violations: Type.Array(
    Type.Object({
      code: Type.String(),
      where: Type.String(),
      message: Type.String(),
      fix: Type.String(),
      count: Type.Integer(),
    }),
  ),
  deviations: Type.Array(
    Type.Object({
      code: Type.String(),
      where: Type.String(),
      outcome: Type.String(),
      count: Type.Integer(),
      of: Type.Optional(Type.Integer()),
    }),
  ),
  unmatched: Counts,
  unanswered: Type.Optional(Counts),
  rules: Counts,
})
