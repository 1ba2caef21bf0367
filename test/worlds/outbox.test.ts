import { createServer } from 'node:net'
import t from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { SharedBudget } from '../../src/world/budget.js'
import { Outbox, type OutgoingMail } from '../../src/world/mail/outbox.js'
import { Smtp } from '../../src/world/mail/smtp.js'
import { listen } from '../forward/provider.js'
import { build, send } from '../helper.js'

/** A mail of that many characters. */
function mailOf(id: string, size: number): OutgoingMail {
  const write = () => ({ to: id, from: '', subject: '', text: 'x'.repeat(size), html: '', links: LINKS })
  return { id, created_at: '2026-01-15T09:30:00Z', to: id, size, write }
}
const LINKS = { accept: '', decline: '' }

const ids = (outbox: Outbox) => outbox.messages().map(({ id }) => id)

t.test('an outbox keeps as many bytes as its worlds may, and always the mail that came last', async (t) => {
  const budget = new SharedBudget(100_000)
  const outbox = new Outbox(budget)
  for (let nth = 0; nth < 30; nth++) outbox.add(mailOf(`${nth}`, 10_000))
  t.ok(budget.bytes <= 100_000, 'the budget is kept', { bytes: budget.bytes })
  t.equal(ids(outbox).at(-1), '29', 'the last mail is there')
  t.ok(ids(outbox).length >= 4, 'and some before it', { ids: ids(outbox) })
  outbox.add(mailOf('long', 500_000))
  t.strictSame(ids(outbox), ['long'], 'a mail that is longer than all may be is there alone')
  outbox.add(mailOf('next', 10))
  t.strictSame(ids(outbox), ['next'], 'until the next one comes')
})

t.test('the outboxes of all worlds share their bytes; the one that was idle the longest forgets first', async (t) => {
  const budget = new SharedBudget(100_000)
  const [idle, busy] = [new Outbox(budget), new Outbox(budget)]
  for (let nth = 0; nth < 5; nth++) idle.add(mailOf(`${nth}`, 10_000))
  for (let nth = 0; nth < 6; nth++) busy.add(mailOf(`${nth}`, 10_000))
  t.ok(budget.bytes <= 100_000, 'the budget is kept', { bytes: budget.bytes })
  t.ok(ids(idle).length < 5, 'the idle one forgets')
  t.equal(ids(busy).length, 6, 'the busy one keeps all')
})

t.test('what an outbox forgets is given back, whichever way it goes', async (t) => {
  const budget = new SharedBudget(1_000_000)
  const outbox = new Outbox(budget)
  for (let nth = 0; nth < 1_005; nth++) outbox.add(mailOf(`${nth}`, 10))
  t.equal(budget.bytes, 10_000, 'a thousand are kept')
  outbox.remove(new Set(['1000', '1001', 'unknown']))
  t.equal(budget.bytes, 9_980, 'single ones')
  outbox.clear()
  t.equal(budget.bytes, 0, 'all at once')
  outbox.add(mailOf('1', 10))
  outbox.end()
  t.equal(budget.bytes, 0, 'a world that goes')
})

t.test('the size of a mail is known before it is written', async (t) => {
  const server = await build(t)
  const { outbox } = server.worlds.root
  let kept = mailOf('', 0)
  outbox.add = (mail) => {
    kept = mail
  }
  for (const length of [1, 1_000, 100_000]) {
    const name = 'x'.repeat(length)
    await send(server, addOrganizationMember, { form: { 'data[0][first_name]': name, 'data[0][last_name]': name } })
    const { size, write } = kept
    const written = JSON.stringify(write()).length
    t.ok(size > 0.8 * written && size < 1.6 * written, `with names of ${length} characters`, { size, written })
  }
})

t.test('an answer that is longer than a text can be is a problem, no bug', async (t) => {
  const server = await build(t)
  server.worlds.root.state.export = () => 'x'.repeat(2 ** 30) as never
  const answer = (await server.app.inject('/__admin/state')).json()
  t.match(answer, { status: 507, code: 'answer-too-long', detail: /reset/ }, 'it is answered, and says what helps')
})

t.test('an SMTP server that never answers does not gather mails without end', async (t) => {
  const silent = createServer()
  const outbox = new Outbox(new SharedBudget(1_000_000))
  const smtp = new Smtp(`smtp://127.0.0.1:${await listen(t, silent)}`, { pauses: [], most: 25_000 })
  smtp.serve(outbox)
  for (const id of ['1', '2', '3']) outbox.add(mailOf(id, 10_000))
  const deliveries = outbox.messages().map(({ delivery }) => delivery)
  const failed = { status: 'failed', attempts: 0, error: /are waiting for the SMTP server/ }
  t.match(deliveries, [{ status: 'pending' }, { status: 'pending' }, failed], 'what would be too much fails at once')
  await smtp.close()
})
