import { uploadSignature } from '../../schemas/index.js'
import { dialects } from '../http/dialects.js'
import { PNG } from '../http/forms.js'
import { malformed } from '../http/malformed.js'
import { latin1, type Sent, sentIn } from '../http/sent.js'

export type Forms = Readonly<Record<string, Sent>>

/** A picture of a few bytes in the place of one of many: what is changed shall be something else most of the time. */
function small({ type, body }: Sent): Sent {
  const picture = Buffer.from(PNG).toString('latin1')
  return { type, body: latin1(body.toString('latin1').replaceAll(picture, '\x89PNG\r\n\x1a\n\0\0')) }
}

const isShort = ({ body }: Sent) => body.length < 2_000
/** Whether a request is taken for one with a form, which no reader decides. */
const isForm = ({ type }: Sent) => /^multipart\/form-data[ \t]*(?:;|$)/i.test(type)

const all = [
  ...Object.entries(dialects).map(([name, [chunks]]) => [name, small(sentIn(chunks))] as const),
  ...Object.entries(malformed).map(([name, make]) => [name, small(sentIn(make(uploadSignature)[0]))] as const),
]

/** Forms as clients send them, and their mistakes. */
export const sentByClients: Forms = Object.fromEntries(all.filter(([, sent]) => isShort(sent) && isForm(sent)))
