import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as api from '../../schemas/index.js'
import { launch } from '../binary.js'
import { adminOf, build, fixtureFile, lastExchange, send, withRules } from '../helper.js'
import { HISTORIES, MEMBER } from '../paths.js'
import { head, listeningServer, rawRequest } from '../wire.js'

const SECRET = 't0p-s3cret-of-ada'

const headers: readonly (readonly [value: string, code: string])[] = [
  [`Bearer {"token":"${SECRET}"}`, 'json-token'],
  [`Bearer {'token': '${SECRET}'}`, 'json-token'],
  [`Bearer {${SECRET}}`, 'braced-token'],
  [`Bearer [${SECRET}]`, 'braced-token'],
  [`Bearer "${SECRET}"`, 'quoted-token'],
  [`"Bearer ${SECRET}"`, 'quoted-token'],
  [`Bearer '${SECRET}`, 'quoted-token'],
  [`Bearer \${${SECRET}}`, 'placeholder-token'],
  [`Bearer {{${SECRET}}}`, 'placeholder-token'],
  [`Bearer <${SECRET}>`, 'placeholder-token'],
  [`Bearer ${SECRET}, Bearer ${SECRET}`, 'repeated-token'],
  [`Bearer Bearer ${SECRET}`, 'doubled-bearer'],
  [`Authorization: Bearer ${SECRET}`, 'repeated-header-name'],
  [`Authorization: ${SECRET}`, 'repeated-header-name'],
  [`Basic ${SECRET}`, 'wrong-scheme'],
  [`Bearer ${SECRET} ${SECRET}`, 'malformed-token'],
  [SECRET, 'token-without-scheme'],
]

t.test('a malformed token is never shown, and its violation has a readable fix', async (t) => {
  const server = await build(t)
  const shown = async (sandbox: string) => {
    const { requests } = (await adminOf(server, sandbox).call('GET', 'requests?view=summary')).json()
    return JSON.stringify([await lastExchange(server, sandbox), requests])
  }
  const check = async (label: string, sandbox: string, codes: readonly string[]) => {
    const { violations } = await lastExchange(server, sandbox)
    const found = violations.map(({ code }) => code)
    t.same(found, codes, `${label}: the mistake is reported`)
    for (const { fix } of violations) t.notMatch(fix, /redacted/, `${label}: the fix is readable`)
    t.notMatch(await shown(sandbox), SECRET, `${label}: nothing shows the token`)
  }
  let nth = 0
  for (const [authorization, code] of headers) {
    const sandbox = `secret-${++nth}`
    await send(server, api.listCreditHistories, { sandbox, headers: { authorization } })
    await check(authorization, sandbox, [code])
  }
  for (const name of ['authorisation', 'autorization', 'x-authorization', 'authorizaton']) {
    const sandbox = `secret-${++nth}`
    const headers = { authorization: undefined, [name]: `Bearer ${SECRET}` }
    await send(server, api.listCreditHistories, { sandbox, headers })
    await check(name, sandbox, ['misnamed-header'])
  }
  for (const name of ['token', 'access_token', 'bearer', 'auth', 'authorization', 'autorization', 'id_token', 'jwt']) {
    const sandbox = `secret-${++nth}`
    await send(server, api.listCreditHistories, { sandbox, query: { [name]: SECRET } })
    await check(name, sandbox, ['token-in-query'])
  }
  const json = ['x=%7B"auth":"@"%7D', 'x=%7B%22auth%22:%22@%22%7D']
  for (const pattern of ['token=@', 'x%26token%3D@', 'x=Bearer%20@', ...json]) {
    const url = pattern.replace('@', SECRET)
    const sandbox = `secret-${++nth}`
    await server.app.inject(`/~${sandbox}/api/v2/credits/histories%3F${url}?${url}`)
    t.notMatch(await shown(sandbox), SECRET, `${url}: nothing shows the token`)
  }
  for (const value of [`{"token":"${SECRET}"}`, `\${${SECRET}}`, `"${SECRET}"`, `Bearer ${SECRET}`]) {
    const sandbox = `secret-${++nth}`
    const headers = { authorization: undefined, 'user-token': value }
    await send(server, api.searchProtectedAttachments, { sandbox, headers })
    const [violation] = (await lastExchange(server, sandbox)).violations
    t.equal(violation?.where, 'headers.user-token', `${value}: the violation has the header`)
    t.notMatch(await shown(sandbox), SECRET, `${value}: nothing shows the token`)
  }
})

t.test('a header that is sent twice is reported', async (t) => {
  const { server, exchange } = await listeningServer(t)
  const lines = ['Host: x', 'Authorization: Bearer token-admin', `Authorization: Bearer ${SECRET}`, 'Connection: close']
  await exchange(head(`GET ${HISTORIES} HTTP/1.1`, ...lines))
  const entry = await lastExchange(server)
  t.match(entry, { status: 200, violations: [{ code: 'repeated-token', where: 'headers.authorization' }] })
  t.notMatch(JSON.stringify(entry), SECRET)
})

const partOf = (type: string, value: Buffer) =>
  Buffer.concat([
    Buffer.from(`--X\r\nContent-Disposition: form-data; name="last_name"\r\nContent-Type: ${type}\r\n\r\n`),
    value,
    Buffer.from('\r\n--X--\r\n'),
  ])

const charsets: readonly (readonly [charset: string, bytes: readonly number[], text: string])[] = [
  ['windows-1252', [0x4f, 0x92, 0x42, 0x72, 0x69, 0x65, 0x6e], 'O’Brien'],
  ['"Windows-1252"', [0x8a, 0x80, 0xeb], 'Š€ë'],
  ['iso-8859-1', [0x5a, 0x6f, 0xeb], 'Zoë'],
  ['iso-8859-15', [0xa4, 0xbd], '€œ'],
  ['windows-1251', [0xc8, 0xe2, 0xe0, 0xed], 'Иван'],
  ['Shift_JIS', [0x8e, 0x52, 0x93, 0x63], '山田'],
  ['utf-8', [0x5a, 0x6f, 0xc3, 0xab], 'Zoë'],
  ['us-ascii', [0x5a, 0x6f, 0xc3, 0xab], 'Zoë'],
]

t.test('the text of a part is decoded with its charset', async (t) => {
  const { server, exchange } = await listeningServer(t)
  const contract = api.updateSubOrganizationMember
  for (const [charset, bytes, text] of charsets) {
    await exchange(rawRequest(partOf(`text/plain; charset=${charset}`, Buffer.from(bytes)), { contract }))
    const { status, violations, request } = await lastExchange(server)
    t.same([status, violations, request.body], [200, [], { last_name: text }], charset)
    const unquoted = partOf(`text/plain; charset = ${charset}`, Buffer.from(bytes))
      .toString('latin1')
      .replace(/"last_name"/, 'last_name')
    await exchange(rawRequest(Buffer.from(unquoted, 'latin1'), { contract, chunked: true }))
    t.same((await lastExchange(server)).request.body, { last_name: text }, `${charset}, unquoted and in two pieces`)
  }
  await exchange(rawRequest(partOf('text/plain; charset=klingon', Buffer.from('x')), { contract }))
  const violations = [{ code: 'unreadable-part', where: 'form.last_name' }]
  t.match(await lastExchange(server), { status: 400, violations })
})

t.test('a long body that is not a form is reported with its format', async (t) => {
  const { server, exchange } = await listeningServer(t)
  const long = 'x'.repeat(300_000)
  for (const [body, format] of [
    [JSON.stringify({ first_name: long }), 'JSON'],
    [`first_name=${long}&role=Admin`, 'URL-encoded'],
    [`%PDF-1.7\n${long}`, "a file's bytes"],
    [long, 'text'],
  ] as const) {
    await exchange(rawRequest(body, { contract: api.updateSubOrganizationMember }))
    const [violation, ...others] = (await lastExchange(server)).violations
    t.match(violation, { code: 'not-multipart', message: `The body is ${format}, but` }, format)
    t.same([violation?.corrected, others], [undefined, []], `${format}: one violation, without a correction`)
  }
})

const CURL = '/usr/bin/curl'
const FILE_NAMES = [
  'two "quotes".pdf',
  "O'Brien & Söhne.pdf",
  'Vertrag Mu\u0308ller.pdf',
  '契約 (1).pdf',
  'a,b;c=d.pdf',
  '$HOME `x`.pdf',
  '-F.pdf',
  '50% #1!.pdf',
  ' with blanks .pdf',
  '🎉.pdf',
]

t.test('a corrected command works for files with unusual names', { skip: !existsSync(CURL) }, async (t) => {
  const { server } = await listeningServer(t)
  const cwd = t.testdir({})
  const { content, type } = fixtureFile('verified.pdf', 'application/pdf')
  for (const filename of FILE_NAMES) {
    writeFileSync(join(cwd, filename), content)
    const file = { filename: filename.replaceAll('"', '%22'), type, content }
    const address = server.app.addresses()[0] as { port: number }
    await send(server, api.verifyDocument, {
      form: { pdf: file, file: undefined, code: undefined },
      headers: { host: `127.0.0.1:${address.port}` },
    })
    const [violation] = (await lastExchange(server)).violations
    t.ok(violation?.corrected, `${filename}: a correction`)
    const line = `${violation?.corrected} -sS -o /dev/null`
    const { code, err } = await launch(t, 'sh', ['-c', line], { cwd, env: { TOKEN: 'token-admin' } }).ended
    const { violations, request } = await lastExchange(server)
    t.same([code, violations], [0, []], `${filename}: curl runs it, and it has no violation`, { err, line })
    t.match(request.body, { file: { filename: file.filename } }, `${filename}: the same file is sent`)
  }
  const file = { filename: 'a\u0007b.pdf', type, content }
  await send(server, api.verifyDocument, { form: { pdf: file, file: undefined, code: undefined } })
  const { violations } = await lastExchange(server)
  t.match(violations, [{ code: 'misnamed-field', corrected: undefined }], 'its name has a control character')
})

t.test('a request that a scenario answers is still checked', async (t) => {
  const server = await build(t)
  const last = async () => {
    const { status, violations } = await lastExchange(server)
    return [status, ...violations.map(({ code, expected }) => `${code}${expected ? ' (expected)' : ''}`)]
  }
  const update = { headers: { authorization: 'Bearer token-admin' }, form: { role: 'admin', first_name: 'undefined' } }
  const misnamed = { file: undefined, pdf: fixtureFile('verified.pdf'), code: undefined, coed: 'X' }
  await send(server, api.verifyDocument, { form: misnamed, headers: { prefer: 'expect=400' } })
  t.same(await last(), [400, 'misnamed-field (expected)', 'misnamed-field'], 'one mistake causes the 400')
  await adminOf(server).activate('updateSubOrganizationMember:500')
  await send(server, api.updateSubOrganizationMember, update)
  t.same(await last(), [500, 'invalid-parameter', 'placeholder-value'], 'violations are listed under a forced 500')
  await adminOf(server).deactivate('updateSubOrganizationMember:500')
  await adminOf(server).activate('updateSubOrganizationMember:400')
  await send(server, api.updateSubOrganizationMember, update)
  t.same(await last(), [400, 'invalid-parameter (expected)', 'placeholder-value'], 'one mistake causes the forced 400')
  await adminOf(server).activate('updateSubOrganizationMember:401')
  await adminOf(server).deactivate('updateSubOrganizationMember:400')
  await send(server, api.updateSubOrganizationMember, { headers: { authorization: 'Bearer nobody' } })
  t.same(await last(), [401, 'unknown-token (expected)'], 'an unknown token is expected under a forced 401')
  await send(server, api.updateSubOrganizationMember)
  t.same(await last(), [401], 'a valid request has no violations')
  for (const prefer of ['code=500', 'fault=EMPTY_RESPONSE', 'scenario=updateSubOrganizationMember:403']) {
    await send(server, api.updateSubOrganizationMember, { ...update, headers: { prefer } }).catch(() => {})
    t.same((await last()).slice(1), [], `${prefer}: a request that forces its outcome has no violations`)
  }
  await server.app.inject({ method: 'PUT', url: `${MEMBER}&__code=500`, payload: '' })
  t.same((await last()).slice(1), [], '__code: a request that forces its outcome has no violations')
})

t.test('a request that a rule with offContract answers is still checked', async (t) => {
  const rules = [{ on: 'listCreditHistories', answer: { status: 200, body: { page: 1 } }, offContract: true }]
  const server = await withRules(t, rules)
  await send(server, api.listCreditHistories, { query: { page: undefined, sort: 'amonut' } })
  const { status, violations } = await lastExchange(server)
  t.equal(status, 200, 'the rule answers')
  t.match(violations, [
    { code: 'missing-parameter', expected: false },
    { code: 'invalid-parameter', expected: false },
  ])
})
