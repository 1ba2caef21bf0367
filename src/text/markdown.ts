import { UNSEEN } from './wording.js'

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
export function codeBlock(text: string, language: string): string[] {
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
