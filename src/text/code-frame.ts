import { UNSEEN, withoutCredentials } from './wording.js'

/** Lines shown before and after the one that is marked. */
const AROUND = 2
/** Characters of a line that are shown; a longer line is cut around the mark. */
const WIDTH = 120

/** The lines around a place in a text, with a mark below it; `line` and `column` count from 1. */
export function codeFrame(text: string, line: number, column: number): string {
  const first = Math.max(1, line - AROUND)
  const lines = text.split('\n').slice(first - 1, line + AROUND)
  const width = String(first + lines.length - 1).length
  const start = column <= WIDTH ? 0 : column - WIDTH / 2
  return lines
    .flatMap((one, at) => {
      const number = String(first + at).padStart(width)
      if (first + at !== line) return [`  ${number} | ${shown(one, start)}`]
      return [`> ${number} | ${shown(one, start)}`, `  ${' '.repeat(width)} | ${' '.repeat(column - 1 - start)}^`]
    })
    .join('\n')
}

const VALUE = `("[^"]*"?|'[^']*'?|[^\\s,}"'][^,}]*)`
const TOKENS = new RegExp(`(\\b(?:admin|provider)[-_]?t[\\w-]*["']?\\s*:\\s*)${VALUE}`, 'gi')
const URLS = new RegExp(`(\\b(?:smtp|provider|public[-_]?url)["']?\\s*:\\s*)${VALUE}`, 'gi')

/** Part of a line without secret options and control characters. */
function shown(line: string, start: number): string {
  const plain = line
    .replace(/\r$/, '')
    .replace(TOKENS, '$1[redacted]')
    .replace(URLS, (_, key: string, url: string) => key + withoutCredentials(url))
    .replaceAll('\t', ' ')
    .replace(UNSEEN, '\ufffd')
  const part = plain.slice(start, start + WIDTH)
  return `${start > 0 && plain !== '' ? `…${part.slice(1)}` : part}${plain.length > start + WIDTH ? '…' : ''}`
}
