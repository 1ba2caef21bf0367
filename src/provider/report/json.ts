import { valueFrom } from '../readings/value.js'
import type { Verification } from '../verify.js'
import { interpretationResults, type Result, statementResults, totalsOf } from './results.js'

/** What was found, for programs. */
export function asJson(verification: Verification, target: string): string {
  const { findings, unavailable, lessons } = verification
  const results = statementResults(verification)
  const data = {
    kind: 'countersign verification',
    version: 1,
    target,
    summary: totalsOf(results),
    statements: results.map(plain),
    interpretations: interpretationResults(verification).map(plain),
    findings: findings.all.filter(({ state }) => state === 'drift' || state === 'differs'),
    switches: lessons.map(({ name, interpretation, evidence, undecided }) => ({
      name,
      interpretation,
      value: valueFrom(name, evidence),
      undecided,
    })),
    additional: findings.additional,
    left: findings.left,
    unavailable,
  }
  return `${JSON.stringify(data, null, 2)}\n`
}

function plain({ id, text, state, reason, operations }: Result) {
  return { id, state, reason, operations, text }
}
