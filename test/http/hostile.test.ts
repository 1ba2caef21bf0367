import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { InjectOptions } from 'fastify'
import t, { type Test } from 'tap'
import * as api from '../../schemas/index.js'
import { organizations } from '../../src/api/records.js'
import { CLI, folder, launch, run, until } from '../binary.js'
import { serve } from '../command-line.js'
import type { Changes, Server } from '../helper.js'
import { adminOf, answerOf, build, fetchUrl, fileOf, lastExchange, multipart, requestOf, send } from '../helper.js'
import { HISTORIES, LINK, SEARCH, VERIFY } from '../paths.js'
import { head, listeningServer, untilClosed } from '../wire.js'

const TOKEN = { authorization: 'Bearer token-admin' }
const JSON_TYPE = { 'content-type': 'application/json' }
const YAML_TYPE = { 'content-type': 'application/yaml' }

const times = (size: number, text: string) => text.repeat(Math.ceil(size / text.length)).slice(0, size)
const many = (size: number, name: (at: number) => string) => Array.from({ length: size }, (_, at) => name(at)).join('&')
const get = (url: string, headers = {}): InjectOptions => ({ url, headers: { ...TOKEN, ...headers } })
const invite = (fields: Parameters<typeof multipart>[0]): InjectOptions => {
  const { headers, body } = multipart(fields)
  return { ...requestOf(api.addOrganizationMember), headers: { ...TOKEN, ...headers }, payload: body }
}
const email = (text: string) => invite([['data[0][email]', text]])
const fields = (size: number, name: (at: number) => string) =>
  invite(Array.from({ length: size }, (_, at) => [name(at), 'a']))
const unreadableForm = (payload: string): InjectOptions => ({
  ...requestOf(api.uploadSignature),
  headers: { 'content-type': 'multipart/form-data' },
  payload,
})
const pdf = (middle: string) => {
  const end = `xref\n0 1\ntrailer\n<</Root 2 0 R>>\nstartxref\n${middle.length + 9}\n%%EOF`
  const file = fileOf(`%PDF-1.5\n${middle}${end}`, 'a.pdf', 'application/pdf')
  return requestOf(api.verifyDocument, { form: { file, code: undefined } })
}
const signature = (text: string) => requestOf(api.uploadSignature, { form: { file: fileOf(text) } })
const scenario = (payload: string, headers: object): InjectOptions => ({
  method: 'PUT',
  url: '/__admin/scenarios/x',
  payload,
  headers: { ...headers },
})
const state = (payload: string): InjectOptions => ({
  method: 'PUT',
  url: '/__admin/state',
  payload,
  headers: JSON_TYPE,
})
const commaList = (size: number, item: (at: number) => string) => many(size / 10, item).replaceAll('&', ',')
const rules = (size: number, rule: object) =>
  scenario(JSON.stringify({ rules: Array(Math.ceil(size)).fill(rule) }), JSON_TYPE)

const heads: Readonly<Record<string, (size: number) => InjectOptions>> = {
  'digits in a name': (size) => get(`${HISTORIES}&${times(size, '1')}x1`),
  'indexes with leading zeros': (size) =>
    get(`${SEARCH}&${many(size / 20, (at) => `keyword[${times(at % 50, '0')}${at}]=a`)}`),
  'misspelt names': (size) => get(`${SEARCH}&${many(size / 20, (at) => `keywrd[${at}]=a`)}`),
  'blanks in Forwarded': (size) => get('/sign/x', { forwarded: `host=${times(size, ' ')}x"y"z` }),
  'slashes in X-Forwarded-Prefix': (size) => get('/sign/x', { 'x-forwarded-prefix': `${times(size, '/')}!` }),
  'escapes in Prefer': (size) => get(HISTORIES, { prefer: times(size, 'a\\"') }),
  'blanks in a token': (size) => get(HISTORIES, { authorization: `Bearer${times(size, ' ')}a b` }),
  'quotes in a cookie': (size) => get(HISTORIES, { cookie: `a=${times(size, '"')}` }),
  'many secrets': (size) => get(`${HISTORIES}&${many(size / 20, (at) => `token${at}="secret${at}`)}`),
  'camel case in a path': (size) => get(`/api/v2/${times(size, 'aB')}`),
  'a long scenario name': (size) => ({ method: 'DELETE', url: `/__admin/scenarios/${times(size, 'a')}` }),
}

const bodies: Readonly<Record<string, (size: number) => InjectOptions>> = {
  'an address of exclamation marks': (size) => email(`${times(size, '!')}a`),
  'an address of domains': (size) => email(`a@${times(size, 'a.')}!`),
  'an address of braces': (size) => email(`${times(size, '{')}b`),
  'an address of nested lists': (size) => email(times(size, '[')),
  'JSON in many fields': (size) =>
    invite(Array.from({ length: 900 }, (_, at) => [`data[${at}]`, `[${times(size / 900, '1,')}1]`])),
  'unknown names': (size) => fields(Math.min(size / 500, 990), (at) => `name${at}`),
  'a long name of a person': (size) => invite([['data[0][first_name]', times(size * 10, 'x')]]),
  'names of digits': (size) => fields(20, (at) => `${at}${times(size / 20, '1')}x`),
  'a long unknown text': (size) => invite([['nickname', times(size * 10, 'a')]]),
  'nested escapes': (size) =>
    invite(Array.from({ length: size / 1_000 }, (_, at) => [`data[${at}][first_name]`, `%${times(900, '25')}41`])),
  'names of brackets': (size) => fields(20, (at) => `${at}${times(size / 20, '[a]')}`),
  'names of a URL-encoded body': (size) => ({
    ...requestOf(api.addOrganizationMember),
    headers: { ...TOKEN, 'content-type': 'application/x-www-form-urlencoded' },
    payload: many(size / 20, (at) => `name${at}=a`),
  }),
  'names of a form without its boundary': (size) =>
    unreadableForm(
      `${many(size / 80, (at) => `--b\r\nContent-Disposition: form-data; name="name${at}"\r\n\r\na\r\n`).replaceAll('&', '')}--b--\r\n`,
    ),
  'names of a JSON body': (size) => ({
    ...requestOf(api.addOrganizationMember),
    headers: { ...TOKEN, ...JSON_TYPE },
    payload: `{${commaList(size, (at) => `"name${at}":1`)}}`,
  }),
  'a form without its boundary': (size) =>
    unreadableForm(`--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${times(size, '--b\r\n')}`),
  'beginnings of parts in a field': (size) => invite([['a', times(size, 'charset\r\n--b')]]),
  'a printed object as a form': (size) => unreadableForm(`<!${times(size, 'at 0x1 ')}`),
  'end markers in a PDF': (size) => pdf(times(size * 10, '%%EO startxre ')),
  'empty records': (size) => state(`{"users":[${times(size * 3, '{},')}{}]}`),
  'keys of a state': (size) => state(`{${commaList(size, (at) => `"k${at}":1`)}}`),
  'records omitted from a state': (size) =>
    state(`{"extends":"default","without":[${commaList(size, (at) => `"credit_histories/${at}"`)}]}`),
  'comments in an SVG': (size) => signature(times(size, '<!--')),
  'a nested scenario': (size) => scenario(`{"rules":${times(size * 10, '[')}${times(size * 10, ']')}}`, JSON_TYPE),
  'a text of mistakes in YAML': (size) => scenario(`a: "${times(size, '\\q')}"`, YAML_TYPE),
  'aliases of a long text': (size) => scenario(`a: [&a ${times(size, 'x')}, ${times(size, '*a, ')}1]`, YAML_TYPE),
  'aliases in a scenario': (size) =>
    scenario(many(size / 200, (at) => `k${at}: &a${at} [*a${at - 1}]`).replaceAll('&k', '\nk'), YAML_TYPE),
  'a scenario nested in YAML': (size) => scenario(times(size, '{a: '), YAML_TYPE),
  'a scenario of dashes in YAML': (size) => scenario(times(size, '- '), YAML_TYPE),
  'a scenario of columns in YAML': (size) => scenario(`a:\n${times(size, ' ')}b:`, YAML_TYPE),
  'a scenario of question marks in YAML': (size) => scenario(`a: ${times(size, '? ')}`, YAML_TYPE),
  'mistakes in one line of YAML': (size) => scenario(times(size, '{}'), YAML_TYPE),
  'a scenario of many rules': (size) => rules(size / 100, { on: 'verifyDocument', answer: { status: 404 } }),
  'a scenario of many mistakes': (size) => rules(size / 1_000, { on: 'verify', answer: { status: 1 } }),
  'a long key of a scenario': (size) => scenario(`{"${times(size, 'a')}":1}`, JSON_TYPE),
  'keys of a scenario in YAML': (size) =>
    scenario(many(size / 100, (at) => `k${at}: 1`).replaceAll('&', '\n'), YAML_TYPE),
  'headers of a rule': (size) => {
    const headers = many(size / 20, (at) => `"x-${at}":"a"`).replaceAll('&', ',')
    return scenario(`{"rules":[{"on":"*","answer":{"headers":{${headers}}}}]}`, JSON_TYPE)
  },
}

const EXPORTS = ['json', 'summary', 'curl', 'scenario'].map((format) => `/__admin/requests?limit=1&format=${format}`)

/** Processor time in milliseconds, which blocks other requests; other processes do not change it. */
async function costOf(t: Test, server: Server, request: InjectOptions): Promise<number> {
  const start = process.cpuUsage()
  for (const call of [request, ...EXPORTS, '/__admin/requests?search=zz']) {
    const { statusCode } = await server.app.inject(call)
    t.ok(statusCode < 500, `${typeof call === 'string' ? call : 'the call'} is answered`, { statusCode })
  }
  const { user, system } = process.cpuUsage(start)
  await server.app.inject({ method: 'DELETE', url: '/__admin/requests' })
  return (user + system) / 1_000
}

const NOISE_MS = 100
const MAX_MS = 2_000
const ATTEMPTS = 3

t.test('a request of twice the size takes at most about twice the time', async (t) => {
  const server = await build(t)
  const shapes = [
    ...Object.entries(heads).map((shape) => [7_000, ...shape] as const),
    ...Object.entries(bodies).map((shape) => [400_000, ...shape] as const),
  ]
  for (const [size, name, request] of shapes) {
    let [single, double] = [0, Infinity]
    const isSlow = () => double > 3 * single + NOISE_MS || double > MAX_MS
    // A busy machine lengthens some measurements.
    for (let attempt = 0; attempt < ATTEMPTS && isSlow(); attempt++)
      [single, double] = [await costOf(t, server, request(size)), await costOf(t, server, request(2 * size))]
    t.notOk(isSlow(), name, { single, double })
  }
})

t.test('other requests are answered while the journal is exported as a scenario', async (t) => {
  const server = await build(t)
  for (let at = 0; at < 300; at++)
    await server.app.inject(
      invite(Array.from({ length: 40 }, (_, field) => [`f${at}-${field}`, times(300, 'x')] as const)),
    )
  let [answers, isExported] = [0, false]
  const polling = (async () => {
    while (!isExported) {
      await server.app.inject('/__admin/health')
      // inject does not yield to the event loop.
      await setImmediate()
      answers++
    }
  })()
  const { body } = answerOf(await server.app.inject('/__admin/requests?format=scenario'))
  isExported = true
  await polling
  t.ok(answers >= 20, 'health is answered meanwhile', { answers })
  t.match(body, /^version: 1\n/, 'the scenario is complete')
  t.notMatch(body, /absent/, 'no rule expects a field to be absent')
})

t.test('an exchange keeps little of a large request', async (t) => {
  const server = await build(t)
  const longNames = Array.from({ length: 50 }, (_, at) => [times(60_000, `n${at}`), 'a'] as const)
  await server.app.inject(invite(longNames))
  t.ok(JSON.stringify(await lastExchange(server)).length < 64 * 1024, 'names of 60,000 characters')
  const { payload: line } = await server.app.inject('/__admin/requests?format=curl')
  t.match(line, /^# The journal did not keep this request in full\.\n/)
  const files = Array.from({ length: 900 }, () => ['file', fileOf('a', times(90, 'n'), times(90, 'a/'))] as const)
  await server.app.inject(invite(files))
  t.ok(JSON.stringify(await lastExchange(server)).length < 64 * 1024, '900 files with one name')
  const payload = `{"data":[${times(30_000, '{},')}{}]}`
  await server.app.inject({ ...requestOf(api.addOrganizationMember), headers: { ...TOKEN, ...JSON_TYPE }, payload })
  t.equal((await lastExchange(server)).violations.length, 1, 'a JSON body of many values is not parsed')
  const form = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${times(1_000_000, 'x')}\r\n--b--\r\n`
  const growth = await heapGrowth(server, unreadableForm(form))
  t.ok(growth < 20_000_000, 'forms of 1 MB without a boundary', { growth })
})

t.test('calls that wait keep no file in memory, and end in time', async (t) => {
  const { url, server } = await listeningServer(t)
  const mails = fetch(`${url}/__admin/outbox?wait=3000`)
  const cwd = folder(t, { 'a.pdf': times(8_000_000, '%') })
  const { arrayBuffers: before } = process.memoryUsage()
  const { call } = adminOf(server)
  for (const preference of ['__fault=TIMEOUT', '__delay=60000', '__delay=60000&page=1', '__code=404&__delay=60000']) {
    const form = ['-H', 'Authorization: Bearer token-admin', '-F', 'file=@a.pdf']
    const client = spawn('curl', ['-s', ...form, `${url}${VERIFY}&${preference}`], { cwd })
    t.teardown(() => client.kill())
    await until(async () => {
      const [latest] = (await call('GET', 'requests?pending=true')).json().requests
      return latest?.url.includes(preference) && latest.received > 8_000_000
    })
    await until(() => {
      collectGarbage()
      return process.memoryUsage().arrayBuffers < before + 7_000_000
    })
  }
  t.same(await (await mails).json(), { messages: [] }, 'garbage collection does not prolong the wait for mail')
})

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
}

async function heapGrowth(server: Server, request: InjectOptions): Promise<number> {
  const measure = async () => {
    await server.app.inject(request)
    collectGarbage()
    return process.memoryUsage().heapUsed
  }
  const before = await measure()
  for (let at = 0; at < 40; at++) await server.app.inject(request)
  return (await measure()) - before
}

t.test('a scenario with more than a thousand rules is refused', async (t) => {
  const { call } = adminOf(await build(t))
  const rule = { on: 'verifyDocument', answer: { status: 404 } }
  await call('PUT', 'scenarios/base', { rules: Array(40).fill(rule) })
  t.equal((await call('PUT', 'scenarios/wide', { extends: Array(20).fill('base') })).statusCode, 200)
  const { status, body } = answerOf(await call('PUT', 'scenarios/wider', { extends: Array(40).fill('wide') }))
  t.equal(status, 400)
  t.match(body.detail, /has 1600 rules, including inherited ones; the limit is 1000/)
})

t.test('calls add at most 64 million characters of records', async (t) => {
  const server = await build(t)
  const { state } = server.app.sandboxes.root
  state.collection(organizations).put({ id: 901, uuid: '', name: times(64_000_001, 'n') })
  t.equal((await send(server, api.addOrganizationMember, { sandbox: 'other' })).statusCode, 507, 'in all sandboxes')
  t.match((await send(server, api.addOrganizationMember)).json(), { code: 'storage-failed' })
  t.equal((await adminOf(server).call('PATCH', 'state', {})).statusCode, 507, 'records of a PATCH count as well')
  await adminOf(server).call('POST', 'reset')
  t.equal((await send(server, api.addOrganizationMember)).statusCode, 200, 'after a reset, there is room again')
})

t.test('forged forwarded headers give a page no access', async (t) => {
  const server = await build(t)
  const { body } = answerOf(await send(server, api.createSigningLink))
  const page = new URL(body.link).pathname
  const sign = async (headers: object): Promise<number> =>
    (await server.app.inject({ method: 'POST', url: `${page}/sign`, headers: { ...headers } })).statusCode
  const origin = 'http://evil.example'
  const evil = { origin, 'x-forwarded-host': 'evil.example' }
  t.equal(await sign({ host: 'evil.example', ...evil }), 403, 'X-Forwarded-Host')
  t.equal(await sign({ host: 'evil.example', origin, forwarded: 'host=evil.example' }), 403, 'Forwarded')
  await server.app.inject(get(`${LINK}?uuid=x`, { 'x-forwarded-host': 'evil.example' }))
  await send(server, api.listCreditHistories, {
    query: { page: '0', per_pag: '5' },
    headers: { 'x-forwarded-host': 'evil.example' },
  })
  const violations = (await adminOf(server).requests()).map((entry) => entry.violations)
  t.notMatch(JSON.stringify(violations), 'evil.example', 'corrected requests ignore the forwarded host')
})

t.test('a copied command reads no file that it does not show', async (t) => {
  const server = await build(t)
  const copied = async (name: string, changes: Changes['form']) => {
    await send(server, api.uploadSignature, { form: { [name]: undefined, ...changes } })
    return answerOf(await server.app.inject('/__admin/requests?format=curl&limit=1')).body as string
  }
  t.match(await copied('x', { 'a=@secret.txt;filename': 'b' }), `'a%3D@secret.txt;filename=b'`, 'in a field name')
  const twoTypes = fileOf('a', 'a.png', 'image/png,secret.txt')
  t.notMatch(await copied('file', { file: twoTypes }), 'secret.txt', 'in a content type')
  t.match(await copied('file', { file: fileOf('a', '-', 'image/png') }), '@./-;', 'a file named -')
})

t.test('an irregular file is reported, and never opened', { skip: process.platform === 'win32' }, async (t) => {
  const cwd = folder(t, {
    'scenarios/good.yaml': 'version: 1\nrules: []\n',
    'scenarios/UP.YAML': 'version: 1\nrules: [}',
  })
  mkdirSync(join(cwd, 'scenarios/drafts'))
  execFileSync('sh', ['-c', 'mkfifo scenarios/pipe.yaml'], { cwd })
  const { code, out, err } = await run(t, ['validate'], { cwd })
  t.equal(code, 1)
  t.match(out + err, /pipe\.yaml: .*not a regular file/)
  t.match(out + err, /drafts: Subfolders are ignored/)
  t.match(out + err, /UP\.YAML:2:/, 'an extension in capitals')
  const { ended } = launch(t, process.execPath, [CLI, 'start'], {
    cwd,
  })
  t.equal((await ended).code, 1, 'start fails, too')
})

t.test('irregular files never stop or block the server', { skip: process.platform === 'win32' }, async (t) => {
  const cwd = folder(t, { 'countersign.config.yaml': '', 'scenarios/good.yaml': 'rules: []\n' })
  const { url, out } = await serve(t, ['--no-log-requests'], { cwd })
  const shell = (line: string) => execFileSync('sh', ['-c', line], { cwd: join(cwd, 'scenarios') })
  shell('truncate -s 600M big.yaml')
  shell('ln -s . a.yaml; ln -s . b.yaml; ln -s . c.yaml; ln -s . d.yaml')
  shell('ln -s two.yaml one.yaml; ln -s one.yaml two.yaml; ln -s /dev/zero zero.yaml; ln -s /proc/kmsg kernel.yaml')
  shell('ln -s /proc/self/pagemap a0.yaml')
  const complaints = async () => (await fetchUrl(`${url}/__admin/files`)).body.complaints
  await until(async () => (await complaints()).length === 10)
  t.match(await complaints(), [{}, {}, {}, { file: 'scenarios/big.yaml', message: /more than 64 MB/ }])
  shell('rm -f *.yaml; printf "rules: []" > later.yaml')
  await until(() => out().includes("The scenario 'later' was added."))
})

t.test('two Host headers are refused', async (t) => {
  const { url } = await serve(t, ['--no-log-requests'])
  const port = Number(new URL(url).port)
  for (const path of [HISTORIES, '/__admin/clock', '/']) {
    const request = head(`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Host: evil.example', 'Connection: close')
    t.match((await untilClosed(port, request)).text, /^HTTP\/1\.1 400 .*2 Host headers/s, path)
  }
})

t.test('a search with more than twenty words is refused', async (t) => {
  const server = await build(t)
  const search = (count: number) => server.app.inject(`/__admin/requests?search=${'a+'.repeat(count)}`)
  t.equal((await search(20)).statusCode, 200)
  t.match(await search(21), { statusCode: 400, payload: /21 words/ })
})
