import t from 'tap'
import { Outbox } from '../../src/world/mail/outbox.js'

function mailOf(id: string) {
  const content = { from: '', subject: '', text: 'x', html: '', links: LINKS }
  return { id, created_at: '2026-01-15T09:30:00Z', to: id, ...content }
}
const LINKS = { accept: '', decline: '' }

const ids = (outbox: Outbox) => outbox.messages().map(({ id }) => id)

t.test('an outbox keeps a thousand mails; the oldest goes first', async (t) => {
  const outbox = new Outbox()
  for (let nth = 0; nth < 1_005; nth++) outbox.add(mailOf(`${nth}`))
  t.match(ids(outbox), { length: 1_000, 0: '5', 999: '1004' })
  outbox.remove('1000')
  t.equal(ids(outbox).length, 999, 'single ones are removed')
  outbox.clear()
  t.same(ids(outbox), [], 'all at once')
})
