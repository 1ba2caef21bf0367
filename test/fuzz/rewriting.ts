import type { Sent } from '../http/sent.js'
import { boundaryOf, framed, latin1, linesOf, withHeaders, withLines, withParts } from './framing.js'
import { keyOf, type Parameter, parameterOf, parametersIn, stripped, withParameters } from './parameters.js'

/** A line that is a header of that name. */
const header = (name: string) => new RegExp(`^((?:${name})[ \t]*:)([^\r\n]*)$`, 'i')

/** What is sent after a change of a header of its parts: of its value, as it stands after the colon. */
export function withHeader(sent: Sent, name: string, change: (value: string) => string): Sent {
  return withHeaders(sent, (line) => line.replace(header(name), (_, before, value) => before + change(value)))
}

/** What is sent after a change of all parameters, those of its parts and its own; undefined leaves one out. */
export function withEach(
  sent: Sent,
  change: (parameter: Parameter, nth: number, all: readonly Parameter[]) => Parameter | undefined,
): Sent {
  const changed = withHeader(sent, 'content-disposition|content-type', (value) => withParameters(value, change))
  return { ...changed, type: withParameters(sent.type, change) }
}

/** What is sent without line ends between the name of a header and its value. */
export function withoutFirstFolds(sent: Sent): Sent {
  return withParts(sent, ({ head, content }) => ({
    head: head.replace(/(?<=\r\n)([^:\s]+[ \t]*:)(?:[ \t]*\r\n(?=[ \t]))+/g, '$1'),
    content,
  }))
}

/** What is sent without parts with such heads. */
export function withoutParts(sent: Sent, wrong: (head: string) => boolean): Sent {
  return withParts(sent, (part) => (wrong(part.head) ? undefined : part))
}

/** The same with another boundary. */
export function renamed(sent: Sent, to = 'another'): Sent {
  const { preamble, frames, rest } = framed(sent)
  const other = (text: string) => text.replace(`--${boundaryOf(sent)}`, () => `--${to}`)
  const written = frames.map(({ delimiter, padding, part }) => other(delimiter) + padding + part)
  const first = (nth: number, all: readonly Parameter[]) => all.findIndex((one) => keyOf(one) === 'boundary') === nth
  return {
    type: withParameters(sent.type, (one, nth, all) => (first(nth, all) ? { ...one, value: to } : one)),
    body: latin1(preamble + written.join('') + other(rest)),
  }
}

/** The value of the first header of that name; nothing where there is none. */
export function headerOf(head: string, name: string): string {
  const values = linesOf(head).flatMap((line) => header(name).exec(line)?.[2] ?? [])
  return stripped(values[0] ?? '')
}

/** What a part is called. */
export function nameOf(head: string): string {
  const disposition = parametersIn(headerOf(head, 'content-disposition'))
  const plain = parameterOf(disposition, 'name')
  if (plain !== undefined) return String(latin1(plain))
  const extended = parameterOf(disposition, 'name*') ?? ''
  return decodedName(extended) ?? extended
}

/** What an extended parameter says; undefined where it is not escaped UTF-8 as in RFC 8187, or has line ends. */
export function decodedName(value: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/is.exec(value)?.[1]
  try {
    const name = encoded && decodeURIComponent(String(latin1(encoded)))
    return name && /[\r\n]/.test(name) ? undefined : name
  } catch {
    return undefined
  }
}

/** The charset of a part that is a text and has one. */
export function charsetOf(head: string): string | undefined {
  const disposition = parametersIn(headerOf(head, 'content-disposition'))
  const isFile = ['filename', 'filename*'].some((name) => parameterOf(disposition, name) !== undefined)
  if (isFile || nameOf(head) === 'file') return undefined
  return parameterOf(parametersIn(headerOf(head, 'content-type')), 'charset')
}

export function withoutCharset(head: string): string {
  return withLines(head, (line) =>
    header('content-type').test(line)
      ? withParameters(line, (one) => (keyOf(one) === 'charset' ? undefined : one))
      : line,
  )
}

/** A text in a charset; undefined where it is none. */
export function decodedText(content: string, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(latin1(content))
  } catch {
    return undefined
  }
}
