import { escapeMarkdown } from '../../text/markdown.js'
import type { Verification } from '../verify.js'
import { exitStatus } from './outcome.js'
import { type Result, statementResults, summaryOf, totalsOf } from './results.js'

const VERDICTS = {
  0: '✅ The provider is as documented.',
  1: '❌ The provider departs from the document.',
  3: '⚠️ The provider could not be judged.',
} as const

/** The results for CI systems that show markdown. */
export function asMarkdown(verification: Verification, target: string, strict: boolean): string {
  const results = statementResults(verification)
  const { findings, unavailable } = verification
  return [
    `## countersign verify: ${escapeMarkdown(target)}`,
    '',
    VERDICTS[exitStatus(verification, strict)],
    '',
    ...unavailable.map((message) => `- ${escapeMarkdown(message)}`),
    ...(unavailable.length === 0 ? [] : ['']),
    ...table(
      'Drift',
      results.filter(({ state }) => state === 'drift'),
    ),
    ...table(
      'Differs from a reading',
      results.filter(({ state }) => state === 'differs'),
    ),
    ...details(
      'Unchecked',
      results.filter(({ state }) => state === 'unchecked'),
    ),
    ...(findings.left.length === 0
      ? []
      : ['Left at the provider:', '', ...findings.left.map((one) => `- ${escapeMarkdown(one)}`), '']),
    summaryOf(totalsOf(results)),
    '',
  ].join('\n')
}

function table(title: string, results: readonly Result[]): string[] {
  if (results.length === 0) return []
  return [
    `### ${title}`,
    '',
    '| statement | operations | what is otherwise |',
    '|---|---|---|',
    ...results.map(({ id, text, operations, reason }) => {
      const statement = `${id}: ${escapeMarkdown(text)}`
      return `| ${statement} | ${operations.join(', ')} | ${escapeMarkdown(reason)} |`
    }),
    '',
  ]
}

function details(title: string, results: readonly Result[]): string[] {
  if (results.length === 0) return []
  return [
    `<details><summary>${title}: ${results.length} statements</summary>`,
    '',
    ...results.map(({ id, reason }) => `- ${id}: ${escapeMarkdown(reason)}`),
    '',
    '</details>',
    '',
  ]
}
