import { createServer } from 'node:net'
import t from 'tap'
import { Outbox, type OutgoingMail } from '../../src/world/mail/outbox.js'
import { Smtp } from '../../src/world/mail/smtp.js'
import { listen } from '../forward/provider.js'

function mailOf(id: string): OutgoingMail {
  const write = () => ({ to: id, from: '', subject: '', text: 'x', html: '', links: LINKS })
  return { id, created_at: '2026-01-15T09:30:00Z', to: id, write }
}
const LINKS = { accept: '', decline: '' }

const ids = (outbox: Outbox) => outbox.messages().map(({ id }) => id)

t.test('an outbox keeps a thousand mails; the oldest goes first', async (t) => {
  const outbox = new Outbox()
  for (let nth = 0; nth < 1_005; nth++) outbox.add(mailOf(`${nth}`))
  t.match(ids(outbox), { length: 1_000, 0: '5', 999: '1004' })
  t.equal(outbox.remove(new Set(['1000', '1001', 'unknown'])), true, 'single ones are removed')
  t.equal(ids(outbox).length, 998)
  t.equal(outbox.remove(new Set(['1000'])), false, 'once')
  outbox.clear()
  t.same(ids(outbox), [], 'all at once')
})

t.test('an SMTP server that never answers does not gather mails without end', async (t) => {
  const silent = createServer()
  const outbox = new Outbox()
  const smtp = new Smtp(`smtp://127.0.0.1:${await listen(t, silent)}`, { pauses: [], most: 2 })
  smtp.serve(outbox)
  for (const id of ['1', '2', '3']) outbox.add(mailOf(id))
  const deliveries = outbox.messages().map(({ delivery }) => delivery)
  const failed = { status: 'failed', attempts: 0, error: /are waiting for the SMTP server/ }
  t.match(deliveries, [{ status: 'pending' }, { status: 'pending' }, failed], 'what would be too much fails at once')
  await smtp.close()
})
