import { startMockServer } from 'countersign'
import { handlers } from 'countersign/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { inviteForm } from './invite.js'

const mock = await startMockServer({ port: 0 })
const server = setupServer(...handlers(mock, { baseUrl: 'https://api.example.com' }))
server.listen({ onUnhandledRequest: 'error' })
beforeEach(() => mock.reset())
afterAll(async () => {
  server.close()
  await mock.close()
})

async function invite(email) {
  inviteForm(document.body)
  document.querySelector('input').value = email
  document.querySelector('form').requestSubmit()
  return vi.waitUntil(() => document.querySelector('[role=status]').textContent)
}

test('a member cannot be invited again', async () => {
  expect(await invite('ada@example.test')).toBe('Invited.')
  await mock.invitations.accept('ada@example.test')
  expect(await invite('ada@example.test')).toBe('Is a member already.')
})

test('a failed save is shown to the user', async () => {
  await mock.scenarios.activate('addOrganizationMember:500')
  expect(await invite('ada@example.test')).toBe('Try again later.')
})
