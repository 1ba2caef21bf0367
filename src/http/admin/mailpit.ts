import { Type } from '@sinclair/typebox'
import { quote } from '../../text/wording.js'
import type { Message } from '../../world/mail/outbox.js'
import { messageId } from '../../world/mail/smtp.js'
import { Problem } from '../problems.js'
import type { Resource } from './resource.js'

const Page = { start: Type.Optional(Type.Integer({ minimum: 0 })), limit: Type.Optional(Type.Integer({ minimum: 0 })) }
const Listing = Type.Object(Page)
const Search = Type.Object({ ...Page, query: Type.String(), tz: Type.Optional(Type.String()) })
const Deletion = Type.Optional(Type.Object({ IDs: Type.Optional(Type.Array(Type.String())) }))

const PAGE = 50

/** The outbox in the words of Mailpit's API v1, for the test helpers that read it. */
export const mailpit: Resource = (routes, { worldOf }) => {
  const base = '/mailpit/api/v1'
  routes.get(`${base}/messages`, { schema: { querystring: Listing } }, (request) =>
    listing(newestFirst(worldOf(request).outbox.messages()), request.query),
  )
  routes.get(`${base}/search`, { schema: { querystring: Search } }, (request) => {
    const { query, ...page } = request.query
    return listing(newestFirst(worldOf(request).outbox.messages()).filter(matching(query)), page)
  })
  routes.get(`${base}/message/:id`, (request) => {
    const { id } = request.params as { id: string }
    const messages = worldOf(request).outbox.messages()
    const message = id === 'latest' ? messages.at(-1) : messages.find((one) => one.id === id)
    if (message === undefined) throw new Problem('not-found', `The outbox has no message ${quote(id)}.`)
    return whole(message)
  })
  routes.delete(`${base}/messages`, { schema: { body: Deletion } }, (request, reply) => {
    const { outbox } = worldOf(request)
    const { IDs = [] } = request.body ?? {}
    if (IDs.length === 0) outbox.clear()
    else outbox.remove(new Set(IDs))
    return reply.type('text/plain').send('ok')
  })
}

function newestFirst(messages: readonly Message[]): Message[] {
  return messages.toReversed()
}

function listing(found: readonly Message[], { start = 0, limit = PAGE }: { start?: number; limit?: number }) {
  const messages = found.slice(start, start + limit).map(summary)
  return {
    total: found.length,
    unread: found.length,
    count: messages.length,
    messages_count: found.length,
    messages_unread: found.length,
    start,
    tags: [],
    messages,
  }
}

function summary(message: Message) {
  return {
    ...head(message),
    Read: false,
    Created: message.created_at,
    Attachments: 0,
    Snippet: message.text.replace(/\s+/g, ' ').slice(0, 250),
  }
}

function whole(message: Message) {
  return {
    ...head(message),
    ReturnPath: '',
    Date: message.created_at,
    Text: message.text,
    HTML: message.html,
    Inline: [],
    Attachments: [],
  }
}

function head({ id, to, from, subject, text, html }: Message) {
  return {
    ID: id,
    MessageID: messageId(id).slice(1, -1),
    From: address(from),
    To: [address(to)],
    Cc: [],
    Bcc: [],
    ReplyTo: [],
    Subject: subject,
    Tags: [],
    Size: Buffer.byteLength(text) + Buffer.byteLength(html),
  }
}

function address(text: string): { Name: string; Address: string } {
  const [, name = '', inner = text] = /^(.*) <(.+)>$/.exec(text) ?? []
  return { Name: name, Address: inner }
}

const FIELDS: Readonly<Record<string, (message: Message) => string>> = {
  to: ({ to }) => to,
  from: ({ from }) => from,
  subject: ({ subject }) => subject,
  body: ({ text }) => text,
  id: ({ id }) => id,
}

/** Mailpit's search: `to:"…"`, `subject:…` and bare words, all of which must be found; a leading `-` or `!` negates. */
function matching(query: string): (message: Message) => boolean {
  const terms = [...query.matchAll(/([-!]?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/gi)].map(
    ([, not, field = '', quoted, bare = '']) => {
      const wanted = (quoted ?? bare).toLowerCase()
      const read =
        FIELDS[field.toLowerCase()] ?? (({ subject, text, to, from }: Message) => [subject, text, to, from].join('\n'))
      return (message: Message) => read(message).toLowerCase().includes(wanted) === (not === '')
    },
  )
  return (message) => terms.every((term) => term(message))
}
