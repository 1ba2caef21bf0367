import type { Sent } from '../http/sent.js'
import { parameterOf, parametersIn } from './parameters.js'

/** A delimiter with the white space that pads it, and what follows up to the next one. */
export interface Frame {
  readonly delimiter: string
  readonly padding: string
  /** The delimiter's line end, a head, a blank line and content. */
  readonly part: string
}

/** A body as RFC 2046, section 5.1.1, frames it; each character is a byte. */
export interface Framed {
  readonly preamble: string
  readonly frames: readonly Frame[]
  /** From the last delimiter on. */
  readonly rest: string
}

export const latin1 = (text: string) => Buffer.from(text, 'latin1')

export function boundaryOf({ type }: Sent): string {
  return parameterOf(parametersIn(type), 'boundary') ?? ''
}

export function framed(sent: Sent): Framed {
  const text = sent.body.toString('latin1')
  const boundary = boundaryOf(sent).replace(/[^\w ]/g, '\\$&')
  const found = [...text.matchAll(new RegExp(`((?:^|\r\n)--${boundary})(?:(--)|([ \t]*)(?=\r\n))`, 'g'))]
  const last = found.findIndex(([, , closes]) => closes !== undefined)
  const opening = found.slice(0, last < 0 ? undefined : last)
  const end = found[last]?.index ?? text.length
  const frames = opening.map(({ 0: whole, 1: delimiter = '', 3: padding = '', index }, nth) => ({
    delimiter,
    padding,
    part: text.slice(index + whole.length, opening[nth + 1]?.index ?? end),
  }))
  return { preamble: text.slice(0, opening[0]?.index ?? end), frames, rest: text.slice(end) }
}

/** What is sent after a change of its frames; undefined leaves one out. */
export function withFrames(sent: Sent, change: (frame: Frame, nth: number) => Frame | undefined): Sent {
  const { preamble, frames, rest } = framed(sent)
  const written = frames.flatMap((frame, nth) => {
    const changed = change(frame, nth)
    return changed === undefined ? [] : [changed.delimiter + changed.padding + changed.part]
  })
  return { ...sent, body: latin1(preamble + written.join('') + rest) }
}

interface Part {
  /** With the line end of its delimiter before it. */
  readonly head: string
  /** With the blank line before it. */
  readonly content: string
}

/** What is sent after a change of its parts; undefined leaves one out. */
export function withParts(sent: Sent, change: (part: Part) => Part | undefined): Sent {
  return withFrames(sent, (frame) => {
    const blank = frame.part.indexOf('\r\n\r\n')
    const end = blank < 0 ? frame.part.length : blank
    const part = change({ head: frame.part.slice(0, end), content: frame.part.slice(end) })
    return part && { ...frame, part: part.head + part.content }
  })
}

/** The headers of a head, each in one line, after the line end of its delimiter. */
export function linesOf(head: string): string[] {
  return split(head).map(inOneLine)
}

const split = (head: string) => head.slice(2).split(/\r\n(?![ \t])/)
const inOneLine = (line: string) => line.replaceAll('\r\n', '')

/** A head after a change of its headers, each of which is given in one line; undefined leaves one out. */
export function withLines(head: string, change: (line: string) => string | undefined): string {
  const lines = split(head).flatMap((line) => {
    const changed = change(inOneLine(line))
    // What is not changed stays as it is, in as many lines.
    return changed === inOneLine(line) ? line : (changed ?? [])
  })
  return head === '' ? '' : ['', ...lines].join('\r\n')
}

/** What is sent after a change of the headers of its parts. */
export function withHeaders(sent: Sent, change: (line: string) => string | undefined): Sent {
  return withParts(sent, ({ head, content }) => ({ head: withLines(head, change), content }))
}
