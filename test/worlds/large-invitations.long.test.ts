import t from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { build, send } from '../helper.js'

t.test('invitations with names of megabytes leave an outbox that can be read', { timeout: 60_000 }, async (t) => {
  const server = await build(t)
  for (let nth = 0; nth < 4; nth++) {
    const form = { 'data[0][email]': `${nth}@example.test`, 'data[0][first_name]': 'é'.repeat(20_000_000) }
    t.equal((await send(server, addOrganizationMember, { form, sandbox: `w${nth % 2}` })).statusCode, 200, `${nth}`)
  }
  const { messages } = (await server.app.inject('/~w1/__admin/outbox')).json()
  const receivers = messages.map(({ to }: { to: string }) => to)
  t.strictSame(receivers, ['3@example.test'], 'the last one alone')
  t.strictSame((await server.app.inject('/~w0/__admin/outbox')).json().messages, [], 'whatever the world')
  server.worlds.delete('w1')
  await send(server, addOrganizationMember, { sandbox: 'w2' })
  t.equal((await server.app.inject('/~w2/__admin/outbox')).json().messages.length, 1, 'a world that goes makes room')
})
