import { startMockServer } from 'countersign'
import { handlers } from 'countersign/msw'
import { setupServer } from 'msw/node'

const BASE = 'https://api.example.com'
const ORGANIZATION = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
const USER = '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31'
const PNG = '89504e470d0a1a0a0000000d49484452'

let mock
let sandbox
let server
const started = start()

async function start() {
  mock = await startMockServer({ port: 0 })
  sandbox = await mock.sandbox('calls')
  server = setupServer(...handlers(sandbox, { baseUrl: BASE }))
  server.listen({ onUnhandledRequest: 'error' })
}

beforeEach(async () => {
  await started
  await sandbox.reset()
})
afterAll(async () => {
  server.close()
  await mock.close()
})

const member = { email: 'ada@example.test', first_name: 'Ada', last_name: 'Lovelace', role: 'Member' }
const fields = Object.entries({ ...member, organization_id: '1' }).map(([name, value]) => [`data[0][${name}]`, value])
const bytes = Buffer.from(PNG, 'hex')

function form(entries) {
  const body = new FormData()
  for (const [name, value] of entries) body.set(name, value)
  return body
}

function upload() {
  const body = new FormData()
  // The File of jest-fixed-jsdom is jsdom's, and its Blob is Node's.
  if (File.prototype instanceof Blob) body.set('file', new File([bytes], 'signature.png', { type: 'image/png' }))
  else body.set('file', new Blob([bytes], { type: 'image/png' }), 'signature.png')
  return body
}

/** Each operation once: its path, and where there is a body, its method and body. */
const operations = {
  uploadSignature: ['/client/signature?user_type=ENTERPRISE_API', 'POST', upload],
  updateSubOrganizationMember: [
    '/api/v2/sub-organizations/6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60/members/101?user_type=ENTERPRISE_API',
    'PUT',
    () => form([['first_name', 'Zoë']]),
  ],
  verifyDocument: [
    '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API',
    'POST',
    () => form(Object.entries({ user_uuid: USER, code: 'DOC-2025-0001' })),
  ],
  searchProtectedAttachments: ['/api/v2/projects/protect?user_type=ENTERPRISE_API&keyword%5Bsample_1%5D=contract'],
  listCreditHistories: [`/api/v2/credits/histories?page=1&per_page=5&organization_uuid=${ORGANIZATION}`],
  addOrganizationMember: ['/api/v2/organization/members/add?user_type=ENTERPRISE_API', 'POST', () => form(fields)],
  createSigningLink: [
    '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link?email=ada%40example.test',
    'POST',
    () => null,
  ],
}

const ways = {
  'sandbox.fetch': (path, init) => sandbox.fetch(path, init),
  'sandbox.fetch of a Request': (path, init) => sandbox.fetch(new Request(`${BASE}${path}`, init)),
  'the intercepted fetch': (path, init) => fetch(`${BASE}${path}`, init),
  'the intercepted fetch of a Request': (path, init) => fetch(new Request(`${BASE}${path}`, init)),
}

for (const [way, send] of Object.entries(ways)) {
  for (const [operation, [path, method = 'GET', bodyOf = () => undefined]] of Object.entries(operations)) {
    test(`${operation}, by ${way}`, async () => {
      const { status } = await send(path, { method, headers: { authorization: 'Bearer token-admin' }, body: bodyOf() })
      const [{ violations, outcome }] = await sandbox.requests()
      expect({ status, violations, outcome }).toEqual({ status: 200, violations: [], outcome: `${operation}:200` })
    })
  }

  test(`a signal and a fault, by ${way}`, async () => {
    const signal = AbortSignal.timeout(50)
    const path = '/api/v2/credits/histories'
    await expect(send(path, { headers: { prefer: 'fault=TIMEOUT' }, signal })).rejects.toThrow()
    await expect(send(path, { headers: { prefer: 'fault=EMPTY_RESPONSE' } })).rejects.toThrow()
  })
}
