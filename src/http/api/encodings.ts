import type { IncomingHttpHeaders } from 'node:http'
import type { Cites } from '../../../schemas/cites.js'
import { quote } from '../../text/wording.js'
import { UnreadableBody } from './unreadable-body.js'

// A body is taken as it is sent, or refused: what was encoded is never taken for the data itself (I-24).
const cites: Cites = ['I-24']

/** @throws {UnreadableBody} for a body with a content coding, such as gzip */
export function requirePlainBody(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']
  if (coding === undefined || /^(?:identity|\s|,)*$/i.test(coding)) return
  throw new UnreadableBody(
    'encoded-body',
    `The body has the Content-Encoding ${quote(coding)}, which is not decoded.`,
    'Send the body as it is, without Content-Encoding.',
    { cites },
  )
}

/** What mainstream clients declare, though it says nothing (RFC 7578, section 4.7). */
const PLAIN = ['', '7bit', '8bit', 'binary', 'identity']

/** @throws {UnreadableBody} for a part whose content is encoded, such as base64 */
export function requirePlainPart(name: string, headers: Readonly<Record<string, string | undefined>>): void {
  for (const header of ['Content-Transfer-Encoding', 'Content-Encoding']) {
    const encoding = headers[header.toLowerCase()]
    if (encoding === undefined || PLAIN.includes(encoding.toLowerCase())) continue
    throw new UnreadableBody(
      'encoded-part',
      `The part ${quote(name)} has the ${header} ${quote(encoding)}, which is not decoded.`,
      `Send the content of the part as it is, without ${header}.`,
      { cites, where: `form.${name}` },
    )
  }
}

/** A text that is no text of its charset, or whose charset is not known. */
export function undecodable(name: string, charset: string): UnreadableBody {
  return new UnreadableBody(
    'undecodable-text',
    `The form field ${quote(name)} is not valid text in the charset ${quote(charset)}.`,
    'Send the text as UTF-8, without a charset.',
    { cites, where: `form.${name}` },
  )
}
