import { codeSpan, escapeMarkdown, proseMarkdown } from '../../text/markdown.js'
import { type SummaryList, summaryText } from '../../text/summary.js'
import type { Finding } from '../checks/findings.js'
import type { Verification } from '../verify.js'
import { exitStatus } from './outcome.js'
import { interpretationResults, type Result, sentence, statementResults, summaryOf, totalsOf } from './results.js'

const VERDICTS = {
  0: '✅ The provider is as documented.',
  1: '❌ The provider departs from the document.',
  3: '⚠️ The provider could not be judged.',
} as const

/** The results for CI systems that show markdown; at most so many bytes. */
export function asMarkdown(verification: Verification, target: string, strict: boolean, most?: number): string {
  const results = statementResults(verification)
  const { findings, unavailable } = verification
  const all = [...results, ...interpretationResults(verification)]
  return summaryText(
    [
      `## countersign verify: ${codeSpan(target)}`,
      VERDICTS[exitStatus(verification, strict)],
      { items: unavailable.map((one) => `- ${escapeMarkdown(one)}`), called: 'reasons' },
      {
        head: '### Drift',
        items: results.filter(({ state }) => state === 'drift').map(bullet),
        called: 'statements',
      },
      {
        head: '### Differs from a reading',
        items: all.filter(({ state }) => state === 'differs').map(bullet),
        called: 'statements and readings',
      },
      {
        head: 'Left at the provider:',
        items: findings.left.map((one) => `- ${escapeMarkdown(one)}`),
        called: 'records',
      },
      unchecked(results.filter(({ state }) => state === 'unchecked')),
      summaryOf(totalsOf(results)),
    ],
    most,
  )
}

/** A statement, and below it each place where it is otherwise. */
function bullet({ id, text, findings }: Result): string {
  const places = new Set(findings.map(placeOf))
  return [`- **${id}** ${proseMarkdown(text)}`, ...[...places].map((one) => `  - ${one}`)].join('\n')
}

function placeOf(one: Finding): string {
  return [...(one.operation === '' ? [] : [`${codeSpan(one.operation)}:`]), escapeMarkdown(sentence(one))].join(' ')
}

function unchecked(results: readonly Result[]): SummaryList {
  return {
    head: `<details><summary>Unchecked: ${results.length} statements</summary>`,
    items: results.map(({ id, reason }) => `- ${id}: ${escapeMarkdown(reason)}`),
    tail: '</details>',
    called: 'unchecked statements',
  }
}
