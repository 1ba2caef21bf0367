import { UNSEEN, withoutCredentials } from './wording.js'

/** Lines shown before and after the one that is marked. */
const AROUND = 2
/** Characters of a line that are shown; a longer line is cut around the mark. */
const WIDTH = 120

/** The lines around a place in a text, with a mark below it; `line` and `column` count from 1. */
export function codeFrame(text: string, line: number, column: number): string {
  const lines = text.split('\n')
  const first = Math.max(1, line - AROUND)
  const last = Math.min(lines.length, line + AROUND)
  const width = String(last).length
  const start = column <= WIDTH ? 0 : column - WIDTH / 2
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const marked = number === line
    frame.push(
      `${marked ? '>' : ' '} ${String(number).padStart(width)} | ${cut(printable(withoutSecrets(lines[number - 1] ?? '')), start)}`,
    )
    if (marked) frame.push(`  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1 - start))}^`)
  }
  return frame.join('\n')
}

/** A line of a config file without the values of the options that are secret, or URLs with credentials. */
function withoutSecrets(line: string): string {
  return line
    .replace(TOKENS, (_, key: string) => `${key}[redacted]`)
    .replace(URLS, (_, key: string, url: string) => key + withoutCredentials(url))
}

const VALUE = `("[^"]*"?|'[^']*'?|[^\\s,}"'][^,}]*)`
const TOKENS = new RegExp(`(\\b(?:admin|provider)[-_]?t[\\w-]*["']?\\s*:\\s*)${VALUE}`, 'gi')
const URLS = new RegExp(`(\\b(?:smtp|provider|public[-_]?url)["']?\\s*:\\s*)${VALUE}`, 'gi')

/** Without what a terminal would obey; each character keeps its column. */
function printable(line: string): string {
  return line.replace(/\r$/, '').replaceAll('\t', ' ').replace(UNSEEN, '\ufffd')
}

function cut(line: string, start: number): string {
  const shown = line.slice(start, start + WIDTH)
  return `${start > 0 && line !== '' ? '…' : ''}${start > 0 ? shown.slice(1) : shown}${line.length > start + WIDTH ? '…' : ''}`
}
