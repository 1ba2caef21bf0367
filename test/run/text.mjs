import { styleText } from 'node:util'

const LONGEST_LINE = 200
/** Characters that a terminal would obey, or show as nothing. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/gu

/** A function that colours text, or leaves it as it is where nobody looks at colours. */
export function painter(stream, { NO_COLOR } = process.env) {
  return stream.isTTY && !NO_COLOR ? (format, text) => styleText(format, text) : (_, text) => text
}

/** One line that is safe to print and not too long. */
export function printable(line) {
  const escaped = line.replaceAll('\t', '\\t').replace(UNPRINTABLE, codeOf)
  return escaped.length > LONGEST_LINE ? `${escaped.slice(0, LONGEST_LINE - 1)}…` : escaped
}

function codeOf(character) {
  return `\\u{${character.codePointAt(0).toString(16)}}`
}

/** The first lines of a list, and how many more there are. */
export function first(lines, most) {
  return lines.length > most ? [...lines.slice(0, most), `… ${lines.length - most} more lines`] : lines
}

/** How many lines came before, and the last lines of a list. */
export function last(lines, most) {
  return lines.length > most ? [`… ${lines.length - most} lines before`, ...lines.slice(-most)] : lines
}

/** The lines of a text, without the empty ones around it. */
export function linesOf(text) {
  const lines = text.split(/\r?\n/)
  while (lines[0]?.trim() === '') lines.shift()
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines
}

export function indent(lines, by) {
  return lines.map((line) => (' '.repeat(by) + line).trimEnd())
}
