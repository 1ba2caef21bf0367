import { UNSAFE_CHARACTERS } from '../../engine/contract/wording.js'
import type { Report, Section, Table } from '../../tools/report/report.js'

export function markdownText({ title, target, verdicts, sections, table, summary }: Report): string {
  const blocks = [
    `## ${title}${target === undefined ? '' : `: \`${target}\``}`,
    ...verdicts.map(proseMarkdown),
    ...sections.filter(({ items }) => items.length > 0).map(sectionMarkdown),
    ...(table === undefined ? [] : [tableMarkdown(table)]),
    summary,
  ]
  return `${blocks.join('\n\n')}\n`
}

function sectionMarkdown({ title, items }: Section): string {
  const lines = items.flatMap(({ text, lines = [], code }) => [
    `- ${proseMarkdown(text)}`,
    ...lines.map((line) => `  - ${proseMarkdown(line)}`),
    ...(code === undefined ? [] : codeBlock(...code)),
  ])
  return [`### ${proseMarkdown(title)}\n`, ...lines].join('\n')
}

function tableMarkdown({ head, rows }: Table): string {
  const row = (cells: readonly unknown[]) => `| ${cells.map((cell) => (cell === 0 ? '**0**' : cell)).join(' | ')} |`
  return [row(head), `|---${'|--:'.repeat(head.length - 1)}|`, ...rows.map(row)].join('\n')
}

/** Markup anywhere, at a word's ends, or at a line's beginning. */
const MARKUP = /[&<>\\`*~[\]|$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[-+=#]|(?<=^\d+)[.)](?!\d)/g

export function escapeMarkdown(text: string): string {
  return replaceUnsafe(text).replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`)
}

function proseMarkdown(text: string): string {
  const parts = replaceUnsafe(text)
    .trim()
    .split(/(`[^`]+`)/)
  return parts.map((part, at) => (at % 2 === 0 ? escapeMarkdown(part) : part)).join('')
}

/** Within the indent of its list item, no line of the text can end the block. */
function codeBlock(language: string, text: string): string[] {
  return [`\`\`\`${language}`, ...text.split('\n').map(replaceUnsafe), '```'].map((line) => `    ${line}`)
}

function replaceUnsafe(text: string): string {
  return text.replace(new RegExp(`${UNSAFE_CHARACTERS.source}+`, 'g'), ' ')
}
