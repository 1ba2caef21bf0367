import { codeBlock, codeSpan, escapeMarkdown, proseMarkdown } from '../../text/markdown.js'
import { summaryText } from '../../text/summary.js'
import { type Blind, blindSpots, type Finding } from './findings.js'
import { rowsOf, summaryOf } from './in-words.js'

/** What a suite noticed, for CI systems that show markdown; at most so many bytes. */
export function findingsAsMarkdown(mutants: readonly Finding[], most?: number): string {
  return summaryText(
    [
      '## countersign mutate',
      escapeMarkdown(summaryOf(mutants)),
      table(mutants),
      { items: blindSpots(mutants).map(item), called: 'statements' },
    ],
    most,
  )
}

function table(mutants: readonly Finding[]): string {
  return [
    '| operation | noticed | unnoticed | not met |',
    '|---|--:|--:|--:|',
    ...rowsOf(mutants).map(([operation, counts]) => `| ${operation} | ${counts.join(' | ')} |`),
  ].join('\n')
}

function item({ operation, rule, unnoticed, met }: Blind): string {
  return [
    `- **${operation}**: ${unnoticed.length} of ${met} unnoticed`,
    `  - ${proseMarkdown(rule)}`,
    ...unnoticed.flatMap(({ place, due, got, force }) => [
      `  - ${codeSpan(place)}`,
      ...codeBlock(`- ${due}\n+ ${got}\n${force}`, 'diff').map((line) => `    ${line}`),
    ]),
  ].join('\n')
}
