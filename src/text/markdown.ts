import { groupBy } from './group-by.js'
import { type Finding, type Item, type Report, type Section, type Table, times } from './report.js'
import { UNSEEN } from './wording.js'

/** Bytes of a list's heading and of the note below it. */
const LIST_ROOM = 250

/** Markdown of at most so many bytes, as far as possible: the last items are left out, and it says so. */
export function markdownText(
  { name, target, verdicts, markdown, table, summary }: Report,
  most = Number.POSITIVE_INFINITY,
): string {
  const head = [`## ${name}${target === undefined ? '' : `: ${codeSpan(target)}`}`, ...verdicts]
  const tail = [...(table === undefined ? [] : [tableMarkdown(table)]), summary]
  let room = most - Buffer.byteLength([...head, ...tail].join('\n\n')) - markdown.length * LIST_ROOM
  const lists = markdown
    .filter(({ items }) => items.length > 0)
    .map(({ title, items, called = 'items', folded = false }) => {
      const fitting = items.map(itemMarkdown).filter((item) => {
        room -= Buffer.byteLength(item) + 1
        return room >= 0
      })
      const left = items.length - fitting.length
      return [
        ...(title === undefined ? [] : [folded ? `<details><summary>${title}</summary>` : `### ${title}`]),
        ...(fitting.length === 0 ? [] : [fitting.join('\n')]),
        ...(left === 0 ? [] : [`${left} more ${called} are left out here for lack of space.`]),
        ...(folded ? ['</details>'] : []),
      ].join('\n\n')
    })
  return `${[...head, ...lists, ...tail].join('\n\n')}\n`
}

function itemMarkdown({ name, lines = [] }: Item): string {
  const further = lines.flatMap((line) =>
    typeof line === 'string' ? [`  - ${line}`] : codeBlock(line.code, line.language).map((one) => `    ${one}`),
  )
  return [`- ${name}`, ...further].join('\n')
}

function tableMarkdown({ title, head, rows }: Table): string {
  const row = (cells: readonly unknown[]) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`
  return [
    ...(title === undefined ? [] : [`### ${title}\n`]),
    row(head),
    `|---${'|--:'.repeat(head.length - 1)}|`,
    ...rows.map(([name, cells]) => row([name, ...cells.map((count) => (count === 0 ? '**0**' : count))])),
  ].join('\n')
}

/** Findings in markdown, below headings: what they are measured by, and what they are about. */
export function findingSections(findings: readonly Finding[]): readonly Section[] {
  const titleOf = ({ basis, about }: Finding) => (about === undefined ? basis : `${basis}: ${codeSpan(about)}`)
  const sections = groupBy(findings, titleOf)
  return Array.from(sections, ([title, own]) => ({ title, items: own.map(findingItem), called: 'failures' }))
}

function findingItem({ name = '', message, count, request, fix, corrected, rule }: Finding): Item {
  return {
    name: `**${codeSpan(name)}**`,
    lines: [
      `${escapeMarkdown(message)}${count === undefined ? '' : ` (${times(count)})`}`,
      ...(fix === undefined ? [] : [`Fix: ${escapeMarkdown(fix)}`]),
      ...(corrected === undefined ? [] : [{ code: corrected, language: 'sh' }]),
      ...(request === undefined ? [] : [`First request: ${codeSpan(request)}`]),
      ...(rule === undefined ? [] : [`Rule: ${proseMarkdown(rule)}`]),
    ],
  }
}

/** What is markup anywhere, at the ends of a word, or at the beginning of a line. */
const MARKUP = /[&<>\\`*~[\]|$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[-+=]|(?<=^\d+)[.)](?!\d)/g
/** What GitHub makes links of, or begins a heading with; where markup is escaped, `&#` begins a reference. */
const LINKED = /@(?=\w)|(?<!&)#(?=\w)|^#|:(?=\/\/)|(?<=www)\./gi

/**
 * A text as markdown shows it: on one line, and nothing in it is markup, a link, or mentions a person or an issue.
 * Character references cannot be markup; an empty comment keeps an `@` from the name that follows.
 */
export function escapeMarkdown(text: string): string {
  return escapePart(onOneLine(text).trim())
}

function escapePart(text: string): string {
  return text.replace(MARKUP, reference).replace(LINKED, '$&<!-- -->')
}

/** A sentence of the document or of ours: what stands between backticks is code. */
export function proseMarkdown(text: string): string {
  const parts = onOneLine(text).trim().split('`')
  if (parts.length % 2 === 0) return escapeMarkdown(text)
  return parts.map((part, at) => (at % 2 === 0 ? escapePart(part) : codeSpan(part))).join('')
}

/** A text as code, whatever it holds: CommonMark ends it at as many backticks as it began with. */
export function codeSpan(text: string): string {
  const plain = onOneLine(text)
  const fence = '`'.repeat(longestFence(plain) + 1)
  const pad = /^`|`$|^ .*[^ ].* $/.test(plain) ? ' ' : ''
  return `${fence}${pad}${plain}${pad}${fence}`
}

/** Lines of code, whatever they hold. */
function codeBlock(text: string, language: string): string[] {
  const lines = text.split('\n').map(onOneLine)
  const fence = '`'.repeat(Math.max(2, ...lines.map(longestFence)) + 1)
  return [`${fence}${language}`, ...lines, fence]
}

function onOneLine(text: string): string {
  return text.replace(new RegExp(`${UNSEEN.source}+`, 'g'), ' ')
}

function reference(character: string): string {
  return `&#${character.charCodeAt(0)};`
}

function longestFence(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
}
