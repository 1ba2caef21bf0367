import t from 'tap'
import type { Contract } from '../../src/engine/contract/contract.js'
import { adminOf, build, contracts, lastExchange, send } from '../helper.js'

const [invite, update, upload, read] = [
  'addOrganizationMember',
  'updateSubOrganizationMember',
  'uploadSignature',
  'listCreditHistories',
].map((id) => contracts.find((one) => one.id === id)) as [Contract, Contract, Contract, Contract]

t.test('an exchange lists the records and mails that its request changed or sent', async (t) => {
  const server = await build(t)
  await send(server, invite)
  const [mail] = await adminOf(server).mails()
  const invitation = (await adminOf(server).state()).invitations.at(-1)
  const invited = await lastExchange(server)
  t.strictSame(invited.effects, [{ collection: 'invitations', key: invitation?.id, change: 'added' }])
  t.strictSame(invited.mails, [mail?.id])
  await send(server, update)
  const [changed] = (await lastExchange(server)).effects
  t.match(changed, { collection: 'sub_organization_members', key: /\/101$/, change: 'changed' })
  await send(server, read)
  t.match(await lastExchange(server), { effects: { length: 0 }, mails: { length: 0 } })
})

t.test('simultaneous requests each have their own effects', async (t) => {
  const server = await build(t)
  const uploads = Array.from({ length: 5 }, () => send(server, upload))
  await Promise.all([...uploads, send(server, read), send(server, update)])
  const exchanges = await adminOf(server).requests()
  for (const { operation, effects } of exchanges) {
    const collections = [...new Set(effects.map(({ collection }) => collection))]
    const expected = { uploadSignature: ['signatures'], updateSubOrganizationMember: ['sub_organization_members'] }
    t.strictSame(collections, expected[operation as keyof typeof expected] ?? [], operation as string)
  }
  const added = exchanges.flatMap(({ effects }) => effects.filter(({ change }) => change === 'added'))
  t.equal(new Set(added.map(({ key }) => key)).size, 5, 'each signature is the effect of one call')
})

t.test('a request belongs to the test that ran when it arrived', async (t) => {
  const server = await build(t)
  const { call, requests } = adminOf(server)
  await call('POST', 'reset', { title: 'first' })
  const reported = new Promise<string | undefined>((resolve) => {
    server.app.sandboxes.once('exchange', ({ test }) => resolve(test.title))
  })
  const sent = send(server, read, { headers: { prefer: 'delay=100' } })
  await new Promise<void>((resolve) => server.app.sandboxes.once('begin', () => resolve()))
  await call('POST', 'reset', { title: 'second' })
  await sent
  t.equal(await reported, 'first')
  t.strictSame(await requests(), [])
})
