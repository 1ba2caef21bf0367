import { connect, startMockServer } from 'countersign'
import { handlers } from 'countersign/msw'
import { expect, test } from 'countersign/playwright'
import setup, { useSandbox } from 'countersign/vitest'
import { http, type RequestHandler } from 'msw'

async function mswHandlers(): Promise<RequestHandler[]> {
  const mock = await startMockServer({ port: 0 })
  const connected = await connect(mock.adminUrl)
  const baseUrl = 'https://api.example.com'
  return [
    ...handlers(mock, { baseUrl }),
    ...handlers(await mock.sandbox('a'), { baseUrl }),
    ...handlers(connected, { baseUrl }),
    http.get('https://other.example.com', () => undefined),
  ]
}

test.use({ countersignOptions: { clock: '2026-01-15T09:30:00Z' } })
test('a failed save is shown', async ({ page, request, countersign }) => {
  await countersign.scenarios.activate('addOrganizationMember:500')
  // @ts-expect-error: the operation declares no 418
  await countersign.scenarios.activate('addOrganizationMember:418')
  await page.goto(countersign.url)
  const response = await request.get('/api/v2/credits/histories')
  expect(response.status()).toBe(401)
})

const globalSetup: typeof setup = setup
async function inVitest(): Promise<string> {
  const sandbox = useSandbox()
  await sandbox.reset()
  return sandbox.token
}

void [mswHandlers, globalSetup, inVitest]
