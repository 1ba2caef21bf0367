import type { AddressInfo } from 'node:net'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import t, { type Test } from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { life } from '../../src/operations/invitation.js'
import type { Server } from '../../src/server/create-server.js'
import { newBudgets } from '../../src/world/budget.js'
import { Outbox } from '../../src/world/mail/outbox.js'
import { Smtp } from '../../src/world/mail/smtp.js'
import { build, send } from '../helper.js'

const invite = (server: Server, email: string, sandbox?: string) =>
  send(server, addOrganizationMember, { sandbox, form: { 'data[0][email]': email } })

async function invitationTo({ app }: Server, email: string) {
  const { invitations } = (await app.inject('/__admin/invitations')).json()
  return invitations.findLast((one: { email: string }) => one.email === email)
}

t.test('accepting makes a member, so the next invitation is a 409', async (t) => {
  const server = await build(t)
  t.equal((await invite(server, 'ada@example.test')).statusCode, 200, 'the invitation is sent')
  const pending = await invitationTo(server, 'ada@example.test')
  const invited = { first_name: 'Ada', last_name: 'Lovelace', role: 'Member', organization_id: 1, status: 'pending' }
  t.match(pending, invited, 'the invitation is pending')
  t.strictSame(
    Object.keys(pending),
    ['id', 'email', 'first_name', 'last_name', 'role', 'organization_id', 'status', 'created_at'],
    'the invitation has these fields',
  )
  const accepted = await server.app.inject({ method: 'POST', url: `/__admin/invitations/${pending.id}/accept` })
  t.equal(accepted.json().status, 'accepted', 'the invitation is accepted')
  t.equal((await invite(server, 'ADA@example.test')).statusCode, 409, 'the second invitation is refused')
  for (const event of ['accept', 'decline']) {
    const again = await server.app.inject({ method: 'POST', url: `/__admin/invitations/${pending.id}/${event}` })
    t.equal(again.statusCode, 409, `${event} after accepting is refused`)
    t.equal(again.headers['x-mock-error'], 'conflict', `${event} after accepting is a conflict`)
  }
})

t.test('a declined invitation is over, and the person may be invited again', async (t) => {
  const server = await build(t)
  await invite(server, 'ada@example.test')
  const first = await invitationTo(server, 'ada@example.test')
  await server.app.inject({ method: 'POST', url: `/__admin/invitations/${first.id}/decline` })
  t.equal((await invite(server, 'ada@example.test')).statusCode, 200, 'the second invitation is sent')
  const second = await invitationTo(server, 'ada@example.test')
  t.equal(second.status, 'pending', 'the second invitation is pending')
  t.not(second.id, first.id, 'the second invitation is another one')
  t.equal(
    (await server.app.inject({ method: 'POST', url: '/__admin/invitations/nobody/accept' })).statusCode,
    404,
    'an unknown invitation cannot be accepted',
  )
})

t.test('the life of an invitation knows every status and event', (t) => {
  t.strictSame(Object.keys(life), ['pending', 'accepted', 'declined'], 'there are three statuses')
  for (const status of ['accepted', 'declined'] as const)
    t.strictSame(Object.values(life[status]), ['refused', 'refused'], `nothing can happen once it is ${status}`)
  t.end()
})

t.test('invitations can be accepted by themselves, at once or after a time on the clock of the world', async (t) => {
  const atOnce = await build(t, { acceptance: 'immediately' })
  t.equal((await invite(atOnce, 'ada@example.test')).statusCode, 200, 'at once: the invitation is sent')
  t.equal((await invite(atOnce, 'ada@example.test')).statusCode, 409, 'at once: the second invitation is refused')
  const later = await build(t, { acceptance: { after: 3_000 }, clock: '2026-01-15T09:30:00Z' })
  await invite(later, 'ada@example.test')
  t.equal((await invitationTo(later, 'ada@example.test')).status, 'pending', 'later: pending at first')
  await later.app.inject({ method: 'PUT', url: '/__admin/clock', payload: { advance: 3_000 } })
  t.equal((await invitationTo(later, 'ada@example.test')).status, 'accepted', 'later: accepted in time')
  t.equal((await invite(later, 'ada@example.test')).statusCode, 409, 'later: the second invitation is refused')
})

t.test('an invitation that would be accepted after the end of time is accepted then', async (t) => {
  for (const [clock, after] of [
    ['2026-01-15T09:30:00Z', 1e300],
    ['9999-12-31T23:59:59Z', 60_000],
  ] as const) {
    const server = await build(t, { acceptance: { after }, clock })
    const label = `${after} ms after ${clock}`
    t.equal((await invite(server, 'ada@example.test')).statusCode, 200, `${label}: the invitation is sent`)
    const state = (await server.app.inject('/__admin/state')).json()
    t.match(state.invitations.at(-1), { accepts_at: '9999-12-31T23:59:59.999Z' }, `${label}: it has the latest time`)
    const put = await server.app.inject({ method: 'PUT', url: '/~b/__admin/state', payload: state })
    t.equal(put.statusCode, 200, `${label}: the state can be put elsewhere`)
  }
})

t.test('the outbox answers the moment the mail is there, or when the wait is over', async (t) => {
  const server = await build(t, {}, {})
  const waiting = server.app.inject('/__admin/outbox?to=Ada@example.test&wait=10000')
  await invite(server, 'other@example.test')
  await invite(server, 'ada@example.test')
  const [message] = (await waiting).json().messages
  t.match(message, { to: 'ada@example.test', delivery: { status: 'kept' } }, 'the mail is waited for')
  t.match(message.subject, /invites you to join/, 'the mail has its subject')
  t.ok(message.text.includes(message.links.accept) && message.html.includes(message.links.decline), 'with its links')
  t.strictSame(
    (await server.app.inject('/__admin/outbox?to=nobody@example.test&wait=20')).json(),
    { messages: [] },
    'a wait that is over gives nothing',
  )
  t.equal((await server.app.inject('/__admin/outbox?wait=soon')).statusCode, 400, 'what is no time is refused')
})

t.test('helpers that read Mailpit find the mails', async (t) => {
  const server = await build(t)
  await invite(server, 'ada@example.test')
  await invite(server, 'grace@example.test')
  const at = (path: string) => `/__admin/mailpit/api/v1/${path}`
  const list = (await server.app.inject(at('messages'))).json()
  t.match(
    list,
    { total: 2, messages: [{ To: [{ Address: 'grace@example.test' }] }, { To: [{ Address: 'ada@example.test' }] }] },
    'the mails are listed, the newest first',
  )
  const found = (await server.app.inject(at(`search?query=${encodeURIComponent('to:"ada@example.test"')}`))).json()
  t.equal(found.messages.length, 1, 'a mail is found by its address')
  const message = (await server.app.inject(at(`message/${found.messages[0].ID}`))).json()
  t.match(message, { From: { Name: 'Document Signing' }, Text: /Accept/, HTML: /<a href=/ }, 'a mail can be read')
  await server.app.inject({ method: 'DELETE', url: at('messages'), payload: { IDs: [message.ID] } })
  t.equal((await server.app.inject(at('messages'))).json().total, 1, 'a mail can be deleted')
})

const HOSTILE = {
  'a script': '<script>alert(1)</script>',
  'an image': '"><img src=x onerror=alert(1)>',
  'an apostrophe': "O'Brien & Söhne",
  'characters beyond the first plane': '𝒜𝒹𝒶 😀',
  'marks of direction': '\u202Eevil\u202C',
  'an Arabic name': 'حداد',
  'a long name': 'a'.repeat(300),
}

t.test('names in any script are escaped wherever they appear, and control characters are refused', async (t) => {
  const server = await build(t)
  for (const [label, name] of Object.entries(HOSTILE)) {
    const answer = await send(server, addOrganizationMember, {
      form: { 'data[0][email]': 'x@example.test', 'data[0][first_name]': name },
    })
    t.equal(answer.statusCode, 200, `${label} is taken`)
    const mail = server.worlds.root.outbox.messages().at(-1)
    t.ok(mail?.text.includes(name), `${label} is in the mail as it is`)
    const page = await server.app.inject(new URL(mail?.links.accept as string).pathname)
    t.notMatch(mail?.html as string, /<script|<img/, `${label} is escaped in the mail`)
    t.notMatch(page.payload, /<script|<img/, `${label} is escaped on the page`)
  }
  for (const [field, value] of [
    ['data[0][email]', 'x@example.test\r\nBcc: y@example.test'],
    ['data[0][first_name]', 'A\r\nB'],
    ['data[0][last_name]', 'A\u0000'],
  ] as const) {
    t.equal((await send(server, addOrganizationMember, { form: { [field]: value } })).statusCode, 400, `in ${field}`)
  }
})

/** An SMTP server that keeps what it gets; it refuses as many mails as it is told to. */
async function mailServer(t: Test, refusals = 0): Promise<{ url: string; mails: string[] }> {
  const mails: string[] = []
  let left = refusals
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _, done) => {
      let text = ''
      stream.on('data', (chunk) => {
        text += chunk
      })
      stream.on('end', () => {
        if (left-- > 0) return done(new Error('come back later'))
        mails.push(text)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, mails }
}

async function settled(outbox: Outbox): Promise<string | undefined> {
  for (let tries = 0; tries < 200; tries++) {
    const status = outbox.messages().at(-1)?.delivery.status
    if (status === 'delivered' || status === 'failed') return status
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return outbox.messages().at(-1)?.delivery.status
}

t.test('the whole story: invite, mail over SMTP, click, member, 409', async (t) => {
  const { url, mails } = await mailServer(t)
  const server = await build(t, { smtp: url, clock: '2026-01-15T09:30:00Z' })
  t.equal((await invite(server, 'ada@example.test', 'shop')).statusCode, 200, 'the invitation is sent')
  const outbox = server.worlds.sandbox('shop')?.outbox as Outbox
  t.equal(await settled(outbox), 'delivered', 'the mail is delivered')
  const [message] = outbox.messages()
  const mail = await simpleParser(mails[0] as string)
  t.equal([mail.to].flat()[0]?.text, 'ada@example.test', 'the mail has its receiver')
  t.equal(mail.subject, message?.subject, 'the mail has its subject')
  t.equal(mail.text?.trim(), message?.text, 'the mail has its text')
  t.equal(mail.html, message?.html, 'the mail has its HTML')
  t.equal(mail.date?.toISOString(), '2026-01-15T09:30:00.000Z', 'the mail has the date of its world')
  t.equal(mail.messageId, `<${message?.id}@countersign.example>`, 'the mail has its id')
  const link = new URL(/http\S+answer=accept/.exec(mail.text as string)?.[0] as string)
  t.match(link.pathname, /^\/~shop\/invitations\//, 'the link leads into the sandbox')
  t.match((await server.app.inject(link.pathname + link.search)).payload, /<button class="go">Accept/, 'to accept')
  t.equal((await invite(server, 'ada@example.test', 'shop')).statusCode, 200, 'looking changed nothing')
  const click = await server.app.inject({ method: 'POST', url: `${link.pathname}/accept` })
  t.equal(click.statusCode, 303, 'the click leads on')
  const landing = new URL(click.headers.location as string, `${link.origin}${link.pathname}/accept`)
  t.match((await server.app.inject(landing.pathname)).payload, /You are now a member/, 'the page says that it is done')
})

t.test(
  'a mail that is refused is sent again, and one that never goes through is shown as failed; no answer waits',
  async (t) => {
    const { url, mails } = await mailServer(t, 2)
    const mail = {
      to: 'a@example.test',
      from: 'b@example.test',
      subject: 'S',
      text: 'T',
      html: '<p>T</p>',
      links: { accept: '', decline: '' },
    }
    const outbox = new Outbox(newBudgets().mails)
    const smtp = new Smtp(url, { pauses: [5, 5, 5] })
    t.teardown(() => smtp.close())
    smtp.serve(outbox)
    outbox.add({ id: '1', created_at: '2026-01-15T09:30:00Z', to: mail.to, size: 0, write: () => mail })
    t.equal(await settled(outbox), 'delivered', 'the refused mail is delivered')
    t.equal(outbox.messages()[0]?.delivery.attempts, 3, 'it is tried until it is taken')
    t.equal(mails.length, 1, 'it arrives once')
    const nowhere = new Smtp('smtp://127.0.0.1:1', { pauses: [5] })
    t.teardown(() => nowhere.close())
    nowhere.serve(outbox)
    outbox.add({ id: '2', created_at: '2026-01-15T09:30:00Z', to: mail.to, size: 0, write: () => mail })
    t.equal(await settled(outbox), 'failed', 'the other mail fails')
    t.match(outbox.messages()[1]?.delivery, { attempts: 2, error: /ECONNREFUSED/ }, 'the failure has its reason')
    const server = await build(t, { smtp: 'smtp://127.0.0.1:1' })
    t.equal((await invite(server, 'ada@example.test')).statusCode, 200, 'the answer does not wait for the mail')
  },
)
