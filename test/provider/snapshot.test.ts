import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse, parseDocument } from 'yaml'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { refusal, refuses, says } from './changes.js'
import { mutants } from './mutants.js'
import { type Asked, type Mutant, mutatingProvider } from './mutating-provider.js'
import { provider, TOKEN } from './stub.js'

async function record(t: Test, url: string, name = 'snap.yaml') {
  const file = join(folder(t), name)
  const { code, out } = await run(t, ['verify', '--target', url, '--token', TOKEN, '--allow-writes', '--record', file])
  return { code, out, file, text: readFileSync(file, 'utf8') }
}

async function against(t: Test, file: string, ...argv: string[]) {
  const { code, out, err } = await run(t, ['verify', '--against', file, ...argv])
  return { code, text: `${err}${out}` }
}

t.test('what was recorded stands in for a provider that is down', async (t) => {
  const interpretations = { errorBody: 'flat', unknownSort: 'ignore', successStatus: 201 } as const
  const mock = await provider(t, { interpretations })
  const { code, file, text } = await record(t, mock.url)
  t.equal(code, 0, 'it is recorded')
  await mock.close()
  t.match(parse(text), { kind: 'countersign snapshot', version: 1, recorded: { target: mock.url } }, 'it says of whom')
  const plain = await against(t, file)
  t.equal(plain.code, 0, 'nothing departs from the document')
  t.match(plain.text, /~ I-01 {2}successStatus: 201 there, but 200 here/, 'a reading that departs differs')
  t.match(plain.text, /~ I-06 {2}unknownSort: ignore there, but invalid here/, 'and another one')
  t.equal((await against(t, file, '--strict')).code, 1, 'which --strict counts')
  const readings = folder(t, { 'i.yaml': JSON.stringify({ interpretations }) })
  const same = await against(t, file, '--strict', '--interpretations', join(readings, 'i.yaml'))
  t.match(same, { code: 0, text: /0 drift, 0 differing/ }, 'with the same readings all is well')
})

t.test('recorded again it is the same, and JSON where its name says so', async (t) => {
  const mock = await provider(t)
  const [one, other] = [await record(t, `${mock.url}/~a`), await record(t, `${mock.url}/~b`)]
  const plain = (text: string) => text.replace(/target: \S+/, '').replaceAll(/at: \S+/g, '')
  t.equal(plain(other.text), plain(one.text), 'the same')
  const json = await record(t, `${mock.url}/~c`, 'snap.json')
  t.match(JSON.parse(json.text), { kind: 'countersign snapshot' }, 'JSON')
  t.equal((await against(t, json.file, '--strict')).code, 0, 'that is read as well')
})

const HISTORIES = ['listCreditHistories', '200', 'body', 'properties']
const CREATED_AT = [...HISTORIES, 'histories', 'items', 'properties', 'created_at']
const UPLOAD = ['uploadSignature', '200', 'body', 'properties']
const ERROR = ['listCreditHistories', '400', 'body', 'properties', 'error', 'properties']

t.test('a shape that departs from the document is drift', async (t) => {
  const mock = await provider(t)
  const { file, text } = await record(t, mock.url)
  const unknown = parse(text).answers.verifyDocument['404']
  for (const [at, value, place] of [
    [[...HISTORIES, 'total', 'type'], 'string', /S5\.6, S5\.7 {2}total: 'total' must be a whole number/],
    [[...CREATED_AT, 'format'], 'date-time with an offset', /S0\.6 {2}histories\[\*\]\.created_at, (\d+) of \1:/],
    [[...UPLOAD, 'signature_id'], undefined, /S1\.7 {2}signature_id: 'signature_id' is missing/],
    [['verifyDocument', '200', 'body', 'required'], [], /S3\.6 {2}document: 'document' is missing/],
    [[...ERROR, 'code', 'format'], undefined, /SE\.7 {2}error\.code: It must be the status 400/],
    [['verifyDocument', '404', 'contentType'], 'text/html', /S0\.3 {2}headers\.content-type/],
    [['verifyDocument', '500'], unknown, /✗ .* {2}status: verifyDocument was answered with 500/],
  ] as const) {
    const snapshot = parseDocument(text)
    if (value === undefined) snapshot.deleteIn(['answers', ...at])
    else snapshot.setIn(['answers', ...at], value)
    writeFileSync(file, String(snapshot))
    t.match(await against(t, file), { code: 1, text: place }, `${at.join('.')}: drift, told with its place`)
  }
})

t.test('what a shape does not show is kept as a departure', async (t) => {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  for (const name of [
    'the page is ignored',
    'a search without a match is an empty list',
    'an unknown document is 409',
  ]) {
    const mutant = mutants.find((one) => one.name === name) as Mutant
    const { code, file } = await record(t, provide(mutant))
    t.equal(code, 1, `${name}: it departs when it is recorded`)
    const departed = /It departed from the document when the snapshot was recorded\./
    t.match(await against(t, file), { code: 1, text: departed }, `${name}: and later`)
  }
})

t.test('a file that is no snapshot is refused with its place', async (t) => {
  const head = 'kind: countersign snapshot\nversion: 1\nrecorded: { target: http://x, at: 2026-01-01T00:00:00Z }\n'
  const answers = 'answers:\n  verifyDocument:\n    "200": { contentType: application/json, body: { type: strin } }\n'
  const tail = 'departures: []\ninterpretations: {}\nevidence: {}\n'
  const place = folder(t, { 'no.yaml': 'version: 1\n', 'typo.yaml': head + answers + tail })
  for (const [file, text] of [
    ['no.yaml', /no\.yaml:1:1.+'kind' is missing/s],
    ['typo.yaml', /typo\.yaml:6:\d+.+must be one of object, array, string.+not 'strin'/s],
  ] as const)
    t.match(await against(t, join(place, file)), { code: 2, text }, `${file}: wrong use, told with its place`)
})

const UPDATE = 'updateSubOrganizationMember'
const UPDATING = ['--token', TOKEN, '--allow-writes', '--only', UPDATE]

/** A provider where one update of a member fails: before it takes place, or after. */
function failing(nth: number, after: boolean): Mutant {
  let updates = 0
  const isUpdate = ({ headers, params }: Asked) =>
    headers.authorization === `Bearer ${TOKEN}` && params.subOrgMemberId === '101'
  return {
    name: 'an update fails',
    cites: ['SE.6'],
    operation: UPDATE,
    ask: (asked) => isUpdate(asked) && ++updates === nth && !after && refusal(500),
    tell: (told, asked) => isUpdate(asked) && updates === nth && after && Object.assign(told, refusal(500)),
  }
}

t.test('whatever fails on the way, the member is put back', { timeout: 300_000 }, async (t) => {
  const server = await build(t, { journalSize: 1 })
  const provide = await mutatingProvider(t, server)
  const memberOf = async (url: string) => {
    const state = await server.app.inject(`${new URL(url).pathname}/__admin/state`)
    return state.json().sub_organization_members.find(({ id }: { id: number }) => id === 101)
  }
  const before = await memberOf(provide({ name: 'fair', cites: ['SE.6'] }))
  t.match(before, { first_name: 'Zoë' }, 'there is a member')
  for (const nth of [3, 4, 5, 6, 7, 8, 9, 10]) {
    for (const after of [false, true]) {
      const url = provide(failing(nth, after))
      const { out } = await run(t, ['verify', '--target', url, ...UPDATING])
      const label = `update ${nth} ${after ? 'takes place and fails' : 'fails'}`
      t.strictSame(await memberOf(url), before, `${label}: the member is as it was`)
      t.notMatch(out, /Left at the provider/, `${label}: nothing is left`)
    }
  }
})

t.test('where it cannot be put back, what it was is told', { timeout: 60_000 }, async (t) => {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  const refused = refuses(says('form', 'first_name', /^Zoë$/), 403)
  const url = provide({ name: 'restores are refused', cites: ['SE.2'], operation: UPDATE, ...refused })
  const { out } = await run(t, ['verify', '--target', url, ...UPDATING])
  const was = "first_name 'Zoë', last_name 'O'Connor', role 'Member'"
  const now = "first_name 'Countersign', last_name 'Countersign', role 'Member'"
  const left = `Left at the provider\\n {2}member 101 of 6d9b7a52-\\S+, which was ${was}; it is now ${now}`
  t.match(out, new RegExp(left), 'and what it is now')
})

t.test('a token that is not accepted is wrong use, and nothing is learned from it', async (t) => {
  const provide = await mutatingProvider(t, await build(t))
  const url = provide({ name: 'fair', cites: ['SA.4'] })
  const advice = 'every call with it is answered with 401. Pass a valid one with --token.'
  const err = `The provider does not accept the token: ${advice}`
  for (const [command, ...flags] of [['verify'], ['verify', '--only', 'uploadSignature'], ['learn']] as const) {
    const told = await run(t, [command, '--target', url, '--token', 'token-of-nobody', ...flags])
    t.match(told, { code: 2, err, out: /^$/ }, `${command} ${flags}: one sentence, and no more`)
  }
})
