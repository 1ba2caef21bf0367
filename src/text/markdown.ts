import type { Report, Section, Table } from './report.js'
import { UNSEEN } from './wording.js'

/** A report as markdown. */
export function markdownText({ title, target, verdicts, sections, table, summary }: Report): string {
  const blocks = [
    `## ${title}${target === undefined ? '' : `: ${codeSpan(target)}`}`,
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
    ...(code === undefined ? [] : codeBlock(...code).map((line) => `    ${line}`)),
  ])
  return [`### ${proseMarkdown(title)}\n`, ...lines].join('\n')
}

function tableMarkdown({ head, rows }: Table): string {
  const row = (cells: readonly unknown[]) => `| ${cells.map((cell) => (cell === 0 ? '**0**' : cell)).join(' | ')} |`
  return [row(head), `|---${'|--:'.repeat(head.length - 1)}|`, ...rows.map(row)].join('\n')
}

/** Characters that are markup anywhere, at the ends of a word, or at the beginning of a line. */
const MARKUP = /[&<>\\`*~[\]|$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[-+=]|(?<=^\d+)[.)](?!\d)/g
/** Characters of which GitHub makes links or headings; where markup is escaped, `&#` begins a reference. */
const LINKED = /@(?=\w)|(?<!&)#(?=\w)|^#|:(?=\/\/)|(?<=www)\./gi

/**
 * A text as markdown shows it: nothing in it is markup, a link, or mentions a person or an issue. Character references
 * cannot be markup; an empty comment keeps an `@` from the name that follows.
 */
export function escapeMarkdown(text: string): string {
  return spaceUnseen(text)
    .replace(MARKUP, (character) => `&#${character.charCodeAt(0)};`)
    .replace(LINKED, '$&<!-- -->')
}

/** A sentence on one line: text between backticks is code, and the rest is escaped. */
function proseMarkdown(text: string): string {
  const plain = spaceUnseen(text).trim()
  const parts = plain.split('`')
  if (parts.length % 2 === 0) return escapeMarkdown(plain)
  return parts.map((part, at) => (at % 2 === 0 ? escapeMarkdown(part) : codeSpan(part))).join('')
}

/** A text as code, with any content: CommonMark ends it at as many backticks as it began with. */
function codeSpan(text: string): string {
  const plain = spaceUnseen(text)
  const fence = '`'.repeat(longestFence(plain) + 1)
  const pad = /^`|`$|^ .*[^ ].* $/.test(plain) ? ' ' : ''
  return plain === '' ? '' : `${fence}${pad}${plain}${pad}${fence}`
}

function codeBlock(language: string, text: string): string[] {
  const lines = text.split('\n').map(spaceUnseen)
  const fence = '`'.repeat(Math.max(2, ...lines.map(longestFence)) + 1)
  return [`${fence}${language}`, ...lines, fence]
}

function spaceUnseen(text: string): string {
  return text.replace(new RegExp(`${UNSEEN.source}+`, 'g'), ' ')
}

function longestFence(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
