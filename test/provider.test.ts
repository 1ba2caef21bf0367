import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import t, { type Test } from 'tap'
import { addOrganizationMember } from '../schemas/add-organization-member.js'
import type { Contract } from '../schemas/contract.js'
import { contracts } from '../schemas/contracts.js'
import { listCreditHistories } from '../schemas/list-credit-histories.js'
import { searchProtectedAttachments } from '../schemas/search-protected-attachments.js'
import { verifyDocument } from '../schemas/verify-document.js'
import { verify } from '../src/cli/verify.js'
import { type MockServerOptions, startMockServer } from '../src/index.js'
import { isRead, probesOf } from '../src/provider/probes.js'
import { verifyProvider } from '../src/provider/verify.js'
import type { Place } from './binary.js'
import { terminal } from './command-line.js'

const TOKEN = 'token-admin'

/** Runs `countersign verify` and returns its exit code and all it printed. */
async function run(argv: readonly string[], env?: Place['env']) {
  const { io, out, err } = terminal(t, { env })
  const code = await verify(argv, io)
  return { code, text: `${err()}${out()}` }
}

const call = (url: string, ...argv: string[]) => run(['--target', url, '--token', TOKEN, ...argv])

async function provider(t: Test, options: MockServerOptions = {}) {
  const mock = await startMockServer({ port: 0, ...options })
  t.teardown(() => mock.close())
  return mock
}

/** A provider that answers every call alike. */
async function stub(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const json =
  (status: number, body: unknown, type = 'application/json'): RequestListener =>
  (request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
  }

const writes = contracts.filter((contract) => !isRead(contract)).map(({ id }) => id)
/** How many probes operations have: two for tokens, one for each parameter left out, one for each header that succeeds. */
const countOf = (of: readonly Contract[], allowWrites = false) =>
  of
    .map((contract) => {
      const successes = allowWrites || isRead(contract) ? contract.tokenHeaders.length : 0
      return 2 + (contract.query.required?.length ?? 0) + successes
    })
    .reduce((sum, count) => sum + count, 0)

t.test('every contract gives its probes', async (t) => {
  t.strictSame(
    writes,
    ['uploadSignature', 'updateSubOrganizationMember', 'addOrganizationMember', 'createSigningLink'],
    'the writes are known',
  )
  for (const contract of contracts) {
    const names = probesOf(contract, {}, true).map(({ name }) => name)
    t.equal(new Set(names).size, names.length, `${contract.id} names no probe twice`)
    t.ok(
      names.includes('401 without a token') && names.includes('401 with a wrong token') && names.includes('200'),
      `${contract.id} is probed with and without its token`,
    )
    for (const name of contract.query.required ?? [])
      t.ok(names.includes(`${contract.invalid} without ${name}`), `${contract.id} is probed without ${name}`)
    const safe = probesOf(contract)
    t.equal(
      safe.some(({ status }) => status === 200),
      isRead(contract),
      `${contract.id} is only written when told to`,
    )
    if (!isRead(contract))
      t.ok(
        safe.every(({ form }) => form === null || Object.keys(form).length === 0),
        `${contract.id} is probed without its form`,
      )
  }
})

t.test('an eighth contract gives its probes for free', async (t) => {
  const archiveProject: Contract = {
    ...addOrganizationMember,
    id: 'archiveProject',
    path: '/api/v2/projects/{uuid}/archive',
    params: Type.Object({ uuid: Type.String({ examples: ['a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11'] }) }),
    form: Type.Object({ reason: Type.String({ examples: ['over'] }), note: Type.Optional(Type.String()) }),
    invalid: 422,
  }
  t.match(
    probesOf(archiveProject, { params: { uuid: 7 } }, true).map(({ name, params, form }) => [name, params.uuid, form]),
    [
      ['401 without a token', '7', { reason: 'over' }],
      ['401 with a wrong token', '7', { reason: 'over' }],
      ['422 without user_type', '7', { reason: 'over' }],
      ['200', '7', { reason: 'over' }],
    ],
    'its probes follow from the contract',
  )
  const url = await stub(t, json(201, { status: 'success', message: 'Done.' }))
  const [result] = await verifyProvider(probesOf(archiveProject, {}, true).slice(3), {
    url,
    token: TOKEN,
    timeout: 5_000,
  })
  t.match(result, { verdict: 'differs', findings: [{ where: 'status', reading: 'I-01' }] }, 'its answers are judged')
})

t.test('a countersign server keeps every contract, and nothing is written unless it is allowed', async (t) => {
  const mock = await provider(t)
  const before = mock.state.get()
  const { code, text } = await call(mock.url)
  t.equal(code, 0, 'it passes', { text })
  t.match(text, `${countOf(contracts)} ok, 0 differing from our reading, 0 failed.`, 'every probe is counted as ok')
  t.match(
    text,
    /Not sent, since they write: uploadSignature 200, .*--allow-writes sends them\./,
    'what was not sent is named',
  )
  t.strictSame(mock.state.get(), before, 'the state is as it was')
  t.strictSame(mock.outbox.messages(), [], 'no mail is sent')
  const sent = mock.requests().filter(({ operation }) => writes.some((id) => id === operation))
  t.equal(sent.length, countOf(contracts.filter((contract) => !isRead(contract))), 'every probe of a write is sent')
  for (const { id, operation, status, request } of sent) {
    t.match(String(status), /^4/, `${operation}, request ${id}: the write is refused`)
    t.strictSame(request.body ?? {}, {}, `${operation}, request ${id}: no form is sent`)
  }
})

t.test('with --allow-writes each operation succeeds once, in a sandbox too', async (t) => {
  const mock = await provider(t)
  const members = JSON.stringify(mock.state.get().sub_organization_members)
  const { code, text } = await call(`${mock.sandbox('w').url}/`, '--allow-writes')
  t.equal(code, 0, 'it passes', { text })
  const all = `${countOf(contracts, true)} ok, 0 differing from our reading, 0 failed.`
  t.ok(text.endsWith(`${all}\n`), 'every probe is counted as ok', { wanted: all, found: text })
  t.strictSame(mock.requests(), [], 'the root world was not called')
  for (const { id } of contracts)
    t.ok(mock.sandbox('w').requests({ operation: id, status: 200 }).length > 0, `${id} succeeds`)
  t.equal(JSON.stringify(mock.sandbox('w').state.get().sub_organization_members), members, 'the update changes nothing')
})

t.test('--only chooses operations, and COUNTERSIGN_TOKEN stands in for --token', async (t) => {
  const mock = await provider(t)
  const argv = ['--target', mock.url, '--only', 'listCreditHistories, verifyDocument']
  const { code, text } = await run(argv, { COUNTERSIGN_TOKEN: TOKEN })
  t.equal(code, 0, 'it passes', { text })
  t.strictSame(
    [...new Set(mock.requests().map(({ operation }) => operation))].sort(),
    ['listCreditHistories', 'verifyDocument'],
    'only the chosen operations are called',
  )
})

t.test('an outcome that was not expected fails, named by operation and place', async (t) => {
  const mock = await provider(t)
  mock.scenarios.activate('listCreditHistories:400')
  const { code, text } = await call(mock.url)
  t.equal(code, 1, 'it fails')
  t.match(
    text,
    /✗ listCreditHistories {2}200\n {4}status: The status is 400, not 200\. It says '.+'\. Name what exists/,
    'the failure is named by operation and place',
  )
  t.match(text, /--data FILE: \{ listCreditHistories: \{ query: \{…\} \} \}/, 'the way out is shown')
  t.match(text, /verifyDocument +401 without a token +✓ ok/, 'the others are verified all the same')
})

t.test('a body that departs from what the document shows fails, named by operation and place', async (t) => {
  const scenarios = t.testdir({
    'Odd.yaml': `rules:
  - on: listCreditHistories
    when: { query: { page: '1', per_page: '10', organization_uuid: { matches: '.+' } }, token: ${TOKEN} }
    answer: { status: 200, offContract: true, body: { page: one, per_page: 10, total: 0 } }
`,
  })
  const mock = await provider(t, { scenarios })
  mock.scenarios.activate('Odd')
  const { code, text } = await call(mock.url)
  t.equal(code, 1, 'it fails')
  t.match(text, /✗ listCreditHistories {2}200\n {4}body/, 'the failure is named by operation and place')
  t.match(text, /body\.page: 'body\.page' must be a whole number, not 'one'\./, 'a value of another type is reported')
  t.match(
    text,
    /body\.histories: 'body\.histories' is missing: the contract has a list of/,
    'a missing property is reported',
  )
  t.match(text, `${countOf(contracts) - 1} ok, 0 differing from our reading, 1 failed`, 'the others are ok')
})

t.test('a departure from our reading alone does not fail, unless --strict', async (t) => {
  const mock = await provider(t, { interpretations: { errorBody: 'flat' } })
  const { code, text } = await call(mock.url)
  t.equal(code, 0, 'it passes', { text })
  t.match(
    text,
    /~ verifyDocument {2}401 without a token, 401 with a wrong token, 400 without user_type\n {4}body\.error: differs from our reading \(I-02\): 'body/,
    'the departure is shown with its place',
  )
  t.match(text, /Our readings, where the document is silent:\n {2}I-02 Error body: /, 'the reading is explained')
  t.match(text, /listCreditHistories +401 without a token +✓ ok/, 'where the document shows the body it is kept')
  t.equal((await call(mock.url, '--strict')).code, 1, 'with --strict it fails')
})

t.test('what the document says of the shown error is asked for', async (t) => {
  const url = await stub(t, json(400, { error: { code: 422, message: 'Something is missing.' } }))
  const { text } = await call(url, '--only', 'listCreditHistories')
  t.match(
    text,
    /body\.error\.code: 'body\.error\.code' must be the status 400, not 422\./,
    'the code must be the status',
  )
  t.match(
    text,
    /'body\.error\.message' must name the missing parameter 'per_page', not say 'Something is missing\.'/,
    'the message must name the parameter',
  )
})

t.test('a signing link may be refused with any 4xx or 5xx, but not granted', async (t) => {
  const refusing = await call(await stub(t, json(422, { error: 'no' })), '--only', 'createSigningLink')
  t.match(refusing.text, /400 without email +~ differs/, 'another refusal only differs')
  t.match(refusing.text, /differs from our reading \(I-11\): The status is 422, not 400\./, 'the reading is named')
  const granting = await call(await stub(t, json(200, { link: 'x' })), '--only', 'createSigningLink')
  t.match(granting.text, /400 without email +✗ failed/, 'a granted link fails')
})

t.test('answers that are no JSON fail', async (t) => {
  const html = await stub(t, (_, response) => void response.writeHead(401, { 'content-type': 'text/html' }).end('<p>'))
  const { code, text } = await call(html, '--only', 'verifyDocument')
  t.equal(code, 1, 'it fails')
  t.match(
    text,
    /headers\.content-type: The content type must be application\/json, not 'text\/html'\./,
    'another content type is reported',
  )
  t.match(text, /body: The body must be JSON, not '<p>'\./, 'another body is reported')
  const empty = await stub(t, (_, response) => void response.writeHead(401).end())
  t.match(
    (await call(empty)).text,
    /not nothing\.\n {4}body: The body is empty: it must be JSON\./,
    'an empty body is reported',
  )
})

t.test('redirects are not followed', async (t) => {
  let called = 0
  const url = await stub(t, (_, response) => {
    called++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  const { code, text } = await call(url, '--only', 'verifyDocument')
  t.equal(code, 1, 'it fails')
  t.equal(called, countOf([verifyDocument]), 'each probe is one call')
  t.match(
    text,
    /Redirects are not followed: give the address that it leads to \('\/elsewhere'\) as --target\./,
    'the redirect is reported',
  )
})

t.test('the token is never printed, though the provider says it back', async (t) => {
  const token = 'secret"-token/1'
  const url = await stub(t, (request, response) => {
    const text = JSON.stringify({ message: `${request.headers.authorization} ${'x'.repeat(70)}`, page: token })
    response.writeHead(200, { 'content-type': `text/${token.replace('"', '')}` }).end(text)
  })
  const { code, text } = await run(['--target', url, '--token', token])
  t.equal(code, 1, 'it fails')
  t.match(text, /'Bearer \[redacted\] x+…'/, 'it is redacted in a text that is cut')
  t.match(text, /'body\.page' must be a whole number, not '\[redacted\]'/, 'it is redacted in a value')
  t.notMatch(text, /secret"/, 'it is nowhere else')
})

t.test('a provider that cannot be reached is said so once', async (t) => {
  const dead = await startMockServer({ port: 0 })
  await dead.close()
  const { code, text } = await call(dead.url)
  t.equal(code, 1, 'it fails')
  t.ok(
    text.includes(`Nothing listens at '${dead.url}/client/signature': start the provider there, or correct --target.`),
    'the address is told, and what to do',
  )
  t.match(
    text,
    `0 ok, 0 differing from our reading, 1 failed.\n${countOf(contracts) - 1} more were not sent.`,
    'the other probes are not sent',
  )
  t.notMatch(text, TOKEN, 'the token is not printed')
  t.match(
    (await call('http://nowhere.invalid')).text,
    /The host 'nowhere\.invalid' of '.+' is unknown: correct --target/,
    'an unknown host is said to be unknown',
  )
})

t.test('a provider that does not answer in time, or breaks off, is said so', async (t) => {
  const probes = probesOf(listCreditHistories)
  const silent = await stub(t, () => {})
  const results = await verifyProvider(probes, { url: silent, token: TOKEN, timeout: 50 })
  t.equal(results.length, 1, 'after no answer no other probe is sent')
  t.match(results[0]?.findings[0]?.message, /did not answer within 0\.05 s/, 'the time is reported')
  const breaking = await stub(t, ({ socket }) => void socket.destroy())
  const broken = await verifyProvider(probes, { url: breaking, token: TOKEN, timeout: 5_000 })
  t.equal(broken.length, probes.length, 'after a broken answer the other probes are sent')
  t.match(
    broken[0]?.findings,
    [{ where: 'connection', message: /broke the connection before its answer was whole/ }],
    'the broken connection is reported',
  )
})

t.test('--data names what exists there', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({
    'data.yaml': `verifyDocument:
  form: { file: verified.pdf }
listCreditHistories:
  query: { page: 2, per_page: 3, sort: amount }
updateSubOrganizationMember:
  params: { subOrgMemberId: 102 }
`,
    'verified.pdf': readFileSync('fixtures/files/verified.pdf'),
    'wrong.yaml': 'listCreditHistories:\n  query: { pages: 2 }\n',
    'lost.json': '{ "uploadSignature": { "form": { "file": "lost.png" } } }',
  })
  const { code, text } = await call(mock.url, '--data', join(folder, 'data.yaml'))
  t.equal(code, 0, 'it passes', { text })
  t.match(
    mock.requests({ operation: 'verifyDocument', status: 200 })[0]?.request.body,
    {
      file: { filename: 'verified.pdf' },
      code: undefined,
    },
    'the named file is sent, and no other field',
  )
  t.match(
    mock.requests({ operation: 'listCreditHistories', status: 200 })[0]?.url,
    /page=2&per_page=3&.*sort=amount/,
    'the named parameters are sent',
  )
  const updates = mock.requests({ operation: 'updateSubOrganizationMember' })
  t.ok(
    updates.every(({ url }) => !url.includes('102')),
    'a write that is not allowed touches nothing that is named',
  )
  await t.rejects(
    call(mock.url, '--data', join(folder, 'wrong.yaml')),
    /wrong\.yaml:2:.+'pages' is unknown.+'page'/,
    'an unknown parameter is refused',
  )
  await t.rejects(
    call(mock.url, '--data', join(folder, 'lost.json')),
    /lost\.json:1:.+There is no file 'lost\.png'/,
    'a missing file is refused',
  )
})

t.test('--junit writes a test case for each probe', async (t) => {
  const mock = await provider(t, { interpretations: { errorBody: 'flat' } })
  mock.scenarios.activate('searchProtectedAttachments:500')
  const file = join(t.testdir({}), 'reports/verify.xml')
  await call(mock.url, '--junit', file)
  const xml = readFileSync(file, 'utf8')
  const failures = countOf([searchProtectedAttachments])
  t.match(
    xml,
    `<testsuites name="countersign verify" tests="${countOf(contracts)}" failures="${failures}">`,
    'all probes are counted',
  )
  t.match(
    xml,
    `<testsuite name="searchProtectedAttachments" tests="${failures}" failures="${failures}">`,
    'an operation is a suite',
  )
  t.match(
    xml,
    /name="400 without keyword\[sample_1\]" time="[\d.]+">\n +<failure message="status: The status is 500, not/,
    'a failure says what is wrong',
  )
  t.match(
    xml,
    /<system-out>body\.error: differs from our reading \(I-02\): &#39;body\.error&#39; is missing/,
    'a departure from our reading is no failure',
  )
})

t.test('what it does not understand is said, without a token', async (t) => {
  const url = 'http://127.0.0.1:1'
  await t.rejects(
    run([]),
    { message: /^--target is missing\. Usage: countersign verify --target/ },
    'a target must be given',
  )
  await t.rejects(
    run(['--target', url]),
    /Give a user's token with --token, or in COUNTERSIGN_TOKEN/,
    'a token must be given',
  )
  for (const wrong of ['nonsense', 'ftp://host', 'http://host/?a=b'])
    await t.rejects(
      call(wrong),
      {
        message: /must be a base address such as https:\/\/host\/base, without a query, not '/,
      },
      `${wrong} is no target`,
    )
  await t.rejects(
    call('http://me:hidden@host'),
    { message: /^(?!.*hidden).*must not carry a user name or password/ },
    'a password in the address is refused, and not repeated',
  )
  await t.rejects(
    call(url, '--only', 'verifyDocumnt'),
    {
      message: /'verifyDocumnt'\. Did you mean 'verifyDocument'\?/,
    },
    'an unknown operation is refused',
  )
  await t.rejects(call(url, '--port', '3'), { message: /--port is for servers/ }, 'a server’s flag is refused')
  await t.rejects(
    call(url, '--allow-writes=false'),
    { message: /--allow-writes takes no value/ },
    'a value for a switch is refused',
  )
  await t.rejects(
    run(['--target', url, '--token', 'Bearer', 'abc']),
    { message: /^(?!.*abc)verify takes only flags/ },
    'a stray word is refused, and not repeated',
  )
  await t.rejects(
    run(['--target', url, '--token', 'Bearer abc']),
    { message: /^(?!.*abc).*without 'Bearer'/ },
    'a token with its scheme is refused, and not repeated',
  )
})
