import { startMockServer } from 'countersign'
import { handlers } from 'countersign/msw'
import { setupServer } from 'msw/node'

const BASE = 'https://api.example.com'

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

const operations = [
  ...['uploadSignature', 'updateSubOrganizationMember', 'verifyDocument', 'searchProtectedAttachments'],
  ...['listCreditHistories', 'addOrganizationMember', 'createSigningLink'],
]

async function exampleOf(operation) {
  const { method, path, form } = await (await sandbox.fetch(`/__admin/examples/${operation}`)).json()
  const body = new FormData()
  for (const { name, value, file } of form) {
    if (file === undefined) body.set(name, value)
    else {
      const bytes = [Buffer.from(file.content, 'base64')]
      // jest-fixed-jsdom has the File of jsdom, but the Blob of Node.
      if (File.prototype instanceof Blob) body.set(name, new File(bytes, file.filename, { type: file.type }))
      else body.set(name, new Blob(bytes, { type: file.type }), file.filename)
    }
  }
  return [path, { method, headers: { authorization: 'Bearer token-admin' }, body: form.length > 0 ? body : null }]
}

const ways = {
  'sandbox.fetch': (path, init) => sandbox.fetch(path, init),
  'sandbox.fetch of a Request': (path, init) => sandbox.fetch(new Request(`${BASE}${path}`, init)),
  'the intercepted fetch': (path, init) => fetch(`${BASE}${path}`, init),
  'the intercepted fetch of a Request': (path, init) => fetch(new Request(`${BASE}${path}`, init)),
}

for (const [way, send] of Object.entries(ways)) {
  for (const operation of operations) {
    test(`${operation}, by ${way}`, async () => {
      const { status } = await send(...(await exampleOf(operation)))
      const [{ violations, outcome }] = await sandbox.requests()
      expect({ status, violations, outcome }).toEqual({ status: 200, violations: [], outcome: `${operation}:200` })
    })
  }

  test(`rejects if the request is aborted or the connection breaks, by ${way}`, async () => {
    const signal = AbortSignal.timeout(50)
    const path = '/api/v2/credits/histories'
    await expect(send(path, { headers: { prefer: 'fault=TIMEOUT' }, signal })).rejects.toThrow()
    await expect(send(path, { headers: { prefer: 'fault=EMPTY_RESPONSE' } })).rejects.toThrow()
  })
}
