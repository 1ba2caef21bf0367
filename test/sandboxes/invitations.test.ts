import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { Outbox } from '../../src/engine/sandbox/mail/outbox.js'
import { Smtp } from '../../src/engine/sandbox/mail/smtp.js'
import type { Message } from '../../src/index.js'
import { until } from '../binary.js'
import { listen } from '../forward/provider.js'
import { adminOf, build, type Server, send } from '../helper.js'

const invite = (server: Server, email: string, sandbox?: string) =>
  send(server, addOrganizationMember, { sandbox, form: { 'data[0][email]': email } })

const statusOf = async (...call: Parameters<typeof invite>) => (await invite(...call)).statusCode

t.test('with accept: immediately, invitations are accepted automatically', async (t) => {
  const server = await build(t, { extraConfig: { invitations: { accept: 'immediately' } } })
  t.equal(await statusOf(server, 'ada@example.test'), 200, 'the invitation is sent')
  t.equal(await statusOf(server, 'ada@example.test'), 409, 'the second invitation is a conflict')
})

t.test('the outbox answers a waiting call once the mail arrives', async (t) => {
  const server = await build(t)
  const waiting = server.app.inject('/__admin/outbox?to=Ada@example.test&wait=10000')
  await invite(server, 'other@example.test')
  await invite(server, 'ada@example.test')
  const [{ links, ...message }] = (await waiting).json().messages
  const mail = { to: 'ada@example.test', subject: /invites you to join/, delivery: { status: 'kept' } }
  t.match(message, { ...mail, text: links.accept, html: links.decline }, 'the call waits for its mail')
})

const NAMES = {
  'a script': '<script>alert(1)</script>',
  'an image': '"><img src=x onerror=alert(1)>',
  'an apostrophe': "O'Brien & Söhne",
  'characters outside the Basic Multilingual Plane': '𝒜𝒹𝒶 😀',
  'direction marks': '\u202Eevil\u202C',
  'an Arabic name': 'حداد',
  'a long name': 'a'.repeat(300),
}

t.test('names in any script are accepted, and escaped in HTML', async (t) => {
  const server = await build(t)
  for (const [label, name] of Object.entries(NAMES)) {
    const form = { 'data[0][email]': 'x@example.test', 'data[0][first_name]': name }
    t.equal((await send(server, addOrganizationMember, { form })).statusCode, 200, `${label} is accepted`)
    const mail = (await adminOf(server).mails()).at(-1)!
    t.ok(mail.text.includes(name), `${label} is unchanged in the text`)
    const page = await server.app.inject(new URL(mail.links.accept!).pathname)
    for (const html of [mail.html, page.payload]) t.notMatch(html, /<script|<img/, `${label} is escaped`)
  }
})

async function mailServer(t: Test): Promise<{ url: string; mails: string[] }> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: async (stream, _, done) => {
      mails.push(await text(stream))
      done()
    },
  })
  return { url: `smtp://127.0.0.1:${await listen(t, server.server)}`, mails }
}

function lastDelivery(server: Server, sandbox?: string): Promise<Message> {
  return until(async () => {
    const mail = (await adminOf(server, sandbox).mails()).at(-1)
    return mail?.delivery.status === 'delivered' || mail?.delivery.status === 'failed' ? mail : undefined
  })
}

t.test('an invited person gets a mail over SMTP, accepts by a click, and is then a member (409)', async (t) => {
  const { url, mails } = await mailServer(t)
  const clock = '2026-01-15T09:30:00Z'
  const server = await build(t, { smtp: url, clock })
  t.equal(await statusOf(server, 'ada@example.test', 'shop'), 200, 'the invitation is sent')
  const { id, subject, text, html, delivery } = await lastDelivery(server, 'shop')
  t.match(delivery, { status: 'delivered' }, 'the mail is delivered')
  const mail = await simpleParser(mails[0]!)
  t.match(mail, { to: { text: 'ada@example.test' }, date: new Date(clock) }, 'the mail has the date of its sandbox')
  const seen = { id: mail.messageId, subject: mail.subject, text: mail.text?.trim(), html: mail.html }
  t.strictSame(seen, { id: `<${id}@countersign.example>`, subject, text, html }, 'it equals the mail in the outbox')
  const link = new URL(/http\S+answer=accept/.exec(text)![0])
  t.match(link.pathname, /^\/~shop\/invitations\//, 'the link is in the sandbox')
  const click = await server.app.inject({ method: 'POST', url: `${link.pathname}/accept` })
  t.equal(click.statusCode, 303, 'the click redirects')
  t.equal(await statusOf(server, 'ada@example.test', 'shop'), 409, 'the next invitation is a conflict')
})

t.test('no answer waits for a mail that cannot be delivered', async (t) => {
  const server = await build(t, { smtp: 'smtp://127.0.0.1:1' })
  t.equal(await statusOf(server, 'ada@example.test'), 200)
  t.match(await lastDelivery(server), { delivery: { status: 'failed', error: /ECONNREFUSED/ } })
})

t.test('a mail that is delivered after a reset stays out of the outbox', async (t) => {
  const { url, mails } = await mailServer(t)
  const server = await build(t, { smtp: url })
  await invite(server, 'ada@example.test')
  await adminOf(server).call('POST', 'reset')
  await until(() => mails.length === 1)
  await invite(server, 'grace@example.test', 'shop')
  await lastDelivery(server, 'shop')
  t.same(await adminOf(server).mails(), [])
})

t.test('an outbox keeps the last thousand mails, and at most a thousand wait for delivery', async (t) => {
  const smtp = new Smtp(`smtp://127.0.0.1:${await listen(t, createServer())}`, () => {})
  t.teardown(() => smtp.close())
  const outbox = new Outbox(() => {}, smtp)
  const mail = { to: 'ada@example.test', from: 'no-reply@example.test', subject: '', text: '', html: '', links: {} }
  for (let nth = 0; nth < 1_005; nth++) outbox.add({ ...mail, id: `${nth}`, created_at: '2026-01-15T09:30:00.000Z' })
  const kept = outbox.messages()
  t.match(kept, { length: 1_000, 0: { id: '5' } })
  t.match(kept.at(-6), { delivery: { status: 'pending' } })
  t.match(kept.at(-5), { delivery: { status: 'failed', error: /1000 other mails wait/ } })
})
