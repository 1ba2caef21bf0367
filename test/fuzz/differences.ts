import { isUtf8 } from 'node:buffer'
import type { Sent } from '../http/sent.js'
import { boundaryOf, framed, latin1, withFrames, withHeaders, withParts } from './framing.js'
import { keyOf, meantBy, quoted, stripped } from './parameters.js'
import {
  charsetOf,
  decodedName,
  decodedText,
  headerOf,
  nameOf,
  renamed,
  withEach,
  withHeader,
  withoutCharset,
  withoutFirstFolds,
  withoutParts,
} from './rewriting.js'

/** Something that our reader and the parser of @fastify/multipart read differently, as is meant. */
export interface Difference {
  /** Why ours is right. */
  readonly why: string
  readonly example: Sent
  /** The code of our refusal, where it is one. */
  readonly refused?: string
  /** Whether our reader makes something else of what is sent without it. */
  readonly shows?: boolean
  /** What is sent without it, and with all else as it is; the same where it is not there. */
  readonly without: (sent: Sent) => Sent
}

const TYPE = 'multipart/form-data; boundary=x'
const NAMED = 'Content-Disposition: form-data; name="a"'
const FILE = 'Content-Disposition: form-data; name="file"'
const body = (text: string, type = TYPE): Sent => ({ type, body: latin1(text) })
const part = (head: string, content = 'v') => body(`--x\r\n${head}\r\n\r\n${content}\r\n--x--\r\n`)

/** A name of a parameter, as in RFC 8187, section 3.2.1. */
const NAME = /^[!#$&+.^`|~\w-]+\*?$/
const QUOTED = /^[ \t]*"/
const ENCODING = /^content-(?:transfer-)?encoding[ \t]*:(?![ \t]*(?:7bit|8bit|binary|identity)?[ \t]*$)/i

/** What is meant to be read differently, in the order in which it is left out to see whether it explains all. */
export const differences: Readonly<Record<string, Difference>> = {
  'an empty boundary': {
    why: 'RFC 2046, section 5.1.1: a boundary has at least one character',
    refused: 'no-boundary',
    example: body('--\r\nx: y\r\n\r\nv\r\n----\r\n', 'multipart/form-data; boundary=""'),
    without: (sent) => (boundaryOf(sent) === '' ? { ...sent, type: 'multipart/form-data' } : sent),
  },
  'a boundary of more than 70 characters': {
    why: 'RFC 2046, section 5.1.1: a boundary has at most 70 characters',
    refused: 'boundary-too-long',
    example: body(`--${'b'.repeat(71)}--`, `multipart/form-data; boundary=${'b'.repeat(71)}`),
    without: (sent) => (boundaryOf(sent).length > 70 ? renamed(sent) : sent),
  },
  'more than 1,000 parts': {
    why: 'our limit, as that of @fastify/multipart: no form of this API has as many',
    refused: 'too-many-parts',
    example: body(`${`--x\r\n${NAMED}\r\n\r\nv\r\n`.repeat(1_001)}--x--`),
    without: (sent) => withFrames(sent, (frame, nth) => (nth < 1_000 ? frame : undefined)),
  },
  'a part without Content-Disposition: form-data': {
    why: 'RFC 7578, section 4.2: each part must have it; the other parser drops the part in silence',
    refused: 'undeclared-part',
    example: part('Content-Type: text/plain'),
    without: (sent) =>
      withoutParts(sent, (head) => !/^form-data[ \t]*(?:;|$)/i.test(headerOf(head, 'content-disposition'))),
  },
  'a part without a name': {
    why: 'RFC 7578, section 4.2: each part must have a name',
    refused: 'nameless-part',
    example: part('Content-Disposition: form-data; filename="b"'),
    without: (sent) => withoutParts(sent, (head) => nameOf(head) === ''),
  },
  'a name of more than 1,000 characters': {
    why: 'our limit: no field of this API has such a name',
    refused: 'part-name-too-long',
    example: part(`Content-Disposition: form-data; name="${'n'.repeat(1_001)}"`),
    without: (sent) => withoutParts(sent, (head) => nameOf(head).length > 1_000),
  },
  'a part that is encoded': {
    why: 'RFC 7578, section 4.7: deprecated; the other parser takes what is encoded for the content itself',
    refused: 'encoded-part',
    example: part(`${NAMED}\r\nContent-Transfer-Encoding: base64`, 'dg=='),
    without: (sent) => withHeaders(sent, (line) => (ENCODING.test(line) ? undefined : line)),
  },
  'a text that is not of its charset': {
    why: 'RFC 7578, section 4.5, and I-24: it cannot be read; the other parser replaces its bytes in silence',
    refused: 'undecodable-text',
    example: part(NAMED, '\xf8'),
    without: (sent) =>
      withParts(sent, ({ head, content }) => {
        if (decodedText(content.slice(4), charsetOf(head) ?? 'utf-8') !== undefined) return { head, content }
        return { head: withoutCharset(head), content: content.replace(/[^\x00-\x7f]/g, '?') }
      }),
  },
  'what is no parameter': {
    why: 'RFC 2045, section 5.1: a parameter is a token, an equals sign and a value; anything else names nothing',
    example: part('Content-Disposition: form-data; name="a"; x"; filename="b"'),
    without: (sent) =>
      withEach(sent, (one) => (one.value === undefined || !NAME.test(stripped(one.name)) ? undefined : one)),
  },
  'an extended parameter that is neither a name nor a file name': {
    why: 'RFC 2046, section 5.1: a boundary is plain',
    example: body('--x--', "multipart/form-data; boundary*=utf-8''x"),
    without: (sent) => withEach(sent, (one) => (/^(?!(?:file)?name\*).*\*$/s.test(keyOf(one)) ? undefined : one)),
  },
  'an unquoted value with white space or quotes': {
    why: 'RFC 2045, section 5.1, allows neither; the value is taken as it is sent, where the other parser squeezes it',
    example: part('Content-Disposition: form-data; name=a b'),
    without: (sent) =>
      withEach(sent, (one) => {
        const { value = '' } = one
        if (QUOTED.test(value) || !/[ \t"]/.test(stripped(value))) return one
        return { ...one, value: quoted(stripped(value)) }
      }),
  },
  'a parameter that is repeated': {
    why: 'RFC 6838, section 4.3: an error; the first counts, where the other parser takes the first or the last',
    example: part('Content-Disposition: form-data; name="a"; name="b"'),
    without: (sent) =>
      withEach(sent, (one, nth, all) =>
        all.findIndex((other) => keyOf(other) === keyOf(one)) < nth ? undefined : one,
      ),
  },
  'an extended parameter beside a plain one': {
    why: 'RFC 7578, section 4.2: filename* must not be used, so that it never wins',
    example: part("Content-Disposition: form-data; name=a; filename=b; filename*=utf-8''c"),
    without: (sent) =>
      withEach(sent, (one, _, all) => (all.some((other) => `${keyOf(other)}*` === keyOf(one)) ? undefined : one)),
  },
  'an extended parameter that is not escaped UTF-8': {
    why: 'RFC 8187, section 3.2.1: nothing else is understood; it is taken as it is sent, not repaired',
    example: part("Content-Disposition: form-data; name=a; filename*=iso-8859-1''%E5"),
    without: (sent) =>
      withEach(sent, (one) => {
        const meant = meantBy(one.value ?? '')
        if (!keyOf(one).endsWith('*') || decodedName(meant) !== undefined) return one
        return { name: keyOf(one).slice(0, -1), value: quoted(meant) }
      }),
  },
  "white space after a header's name": {
    why: 'RFC 5322, section 4.5.8: it is to be accepted',
    example: part('Content-Disposition : form-data; name="a"'),
    without: (sent) => withHeaders(sent, (line) => line.replace(/^([^:\s]+)[ \t]+:/, '$1:')),
  },
  "white space around a header's value": {
    why: 'RFC 5322, section 3.2.2: it is no part of the value',
    example: part(`${FILE}\r\nContent-Type:  a/b `),
    without: (sent) => withHeader(withoutFirstFolds(sent), '[^:\\s]+', (value) => ` ${stripped(value)}`),
  },
  'a line of a head that is no header': {
    why: 'RFC 2046, section 5.1: what is not understood may be ignored; the other parser ignores all headers after it',
    example: part(`nonsense\r\n${NAMED}`),
    without: (sent) => withHeaders(sent, (line) => (/^[^:\s]+:[^\r\n]*$/.test(line) ? line : undefined)),
  },
  'a media type that is none': {
    why: 'RFC 2045, section 5.1, allows a slash between two tokens; any other is taken as it is sent, in UTF-8',
    shows: true,
    example: part(`${FILE}\r\nContent-Type: a / b; c=d`),
    without: (sent) =>
      withHeader(sent, 'content-type', (value) =>
        value.replace(/^[^;]*/, (type) => (/[^!-~]|"/.test(stripped(type)) ? ' x/y' : type)),
      ),
  },
  'a text in another charset than UTF-8': {
    why: 'RFC 7578, section 4.5: it is read by its charset; the other parser reads most as UTF-8, and windows-1252 as Latin-1',
    example: part(`${NAMED}\r\nContent-Type: text/plain; charset=shift_jis`, '\x82\xa0'),
    without: (sent) =>
      withParts(sent, ({ head, content }) => {
        const charset = charsetOf(head) ?? 'utf-8'
        const text = decodedText(content.slice(4), charset)
        if (/^utf-?8$/i.test(charset) || text === undefined) return { head, content }
        return { head: withoutCharset(head), content: `\r\n\r\n${Buffer.from(text).toString('latin1')}` }
      }),
  },
  'white space after a boundary': {
    why: 'RFC 2046, section 5.1.1: padding is allowed; the other parser loses the part',
    example: body(`--x \t\r\n${NAMED}\r\n\r\nv\r\n--x--`),
    without: (sent) => withFrames(sent, (frame) => ({ ...frame, padding: '' })),
  },
  'a part that ends with its head': {
    why: 'RFC 2046, section 5.1.1: a blank line and content need not follow it',
    example: body(`--x\r\n${NAMED}\r\n--x--`),
    without: (sent) =>
      withParts(sent, ({ head, content }) => ({
        head: head.replace(/(?<=.)\r\n$/s, ''),
        content: content === '' && head.length > 2 ? '\r\n\r\n' : content,
      })),
  },
  'a line of content that begins like a boundary': {
    why: 'RFC 2046, section 5.1.1: after a boundary come white space and the end of the line',
    example: body(`--x\r\n${NAMED}\r\n\r\nv\r\n--xy\r\n--x--`),
    without: (sent) => {
      const { preamble, frames } = framed(sent)
      const like = `\r\n--${boundaryOf(sent)}`
      const texts = [`\r\n${preamble}`, ...frames.map(({ part }) => part)]
      return texts.some((text) => text.includes(like)) ? renamed(sent) : sent
    },
  },
  'a boundary that is not UTF-8': {
    why: 'RFC 2046, section 5.1.1, allows ASCII only; it is compared byte for byte',
    example: { type: 'multipart/form-data; boundary=\xf8', body: latin1('--\xf8--') },
    without: (sent) => (isUtf8(latin1(boundaryOf(sent))) ? sent : renamed(sent)),
  },
}
