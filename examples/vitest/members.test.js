import { useSandbox } from 'countersign/vitest'
import { expect, test } from 'vitest'
import { client } from './client.js'

const sandbox = useSandbox()
const api = client(sandbox)

test('a person who accepts becomes a member', async () => {
  expect((await api.invite('ada@example.test')).status).toBe(200)
  const mail = await sandbox.outbox.waitFor({ to: 'ada@example.test' })
  expect(mail.links.accept).toContain(sandbox.url)
  await sandbox.invitations.accept('ada@example.test')
  expect((await api.invite('ada@example.test')).status).toBe(409)
})

test('the sandbox is reset between tests', async () => {
  expect(await sandbox.outbox.messages()).toEqual([])
  expect((await api.invite('ada@example.test')).status).toBe(200)
})
