import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import type { Readings } from '../../schemas/readings.js'
import { run } from '../command-line.js'
import { others as switched } from '../switches/readings.js'
import { alike, CLOCK, fromFile, learn, wire } from './learning.js'
import { answering, provider, stub, TOKEN } from './stub.js'

t.test('all switches at once', async (t) => {
  const folder = t.testdir({})
  const theirs = await provider(t, { interpretations: switched as Partial<Readings>, clock: CLOCK })
  const { code, learned, file, text } = await learn(t, `${theirs.url}/~learn`, folder, '--allow-writes')
  t.equal(code, 0, 'it is learned', { text })
  for (const name of Object.keys(switched)) t.ok(name in learned.interpretations, `${name} is in the file`)
  const strict = ['--strict', '--allow-writes', '--interpretations', file]
  const again = await run(t, ['verify', '--target', `${theirs.url}/~again`, '--token', TOKEN, ...strict])
  t.equal(again.code, 0, 'verify --strict is clean', { text: again.out })
  const ours = await provider(t, { ...fromFile(file), clock: CLOCK })
  t.strictSame((await wire(ours.url)).map(alike), (await wire(theirs.url)).map(alike), 'in the same shapes')
})

t.test('a learned file is small, sorted, stable, and added to', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({})
  const first = await learn(t, mock.url, folder)
  t.equal(first.code, 0, 'without writes')
  t.match(
    first.text,
    /Not shown\n {6}attachmentStatus +All attachments that were found are protected\.\n {6}pendingInvitation +It needs --allow-writes\./,
    'what is not shown is told, with the reason',
  )
  const once = readFileSync(first.file, 'utf8')
  t.ok(once.length < 10_000, `it has ${once.length} characters`)
  const names = Object.keys(first.learned.interpretations)
  t.strictSame(names, [...names].sort(), 'it is sorted')
  t.match(first.learned.learned, { target: mock.url, at: /^\d{4}-\d\d-\d\dT/ }, 'it says of whom, and when')
  await learn(t, mock.url, folder)
  const undated = (text: string) => text.replace(/at: \d{4}-\S+/g, 'at')
  t.equal(undated(readFileSync(first.file, 'utf8')), undated(once), 'learned again it is the same')
  t.notOk('emptyName' in first.learned.interpretations, 'what needs writes is not in it')
  const { learned } = await learn(t, mock.url, folder, '--allow-writes', '--only', 'updateSubOrganizationMember')
  t.match(learned.interpretations, { emptyName: 'invalid', unknownSort: 'invalid' }, 'what is learned later is added')
})

t.test("somebody else's file is not overwritten", async (t) => {
  const [mock, other] = [await provider(t), await provider(t)]
  const folder = t.testdir({ 'own.yaml': 'interpretations: { unknownSort: ignore }\n' })
  const own = await learn(t, mock.url, folder, '--out', 'own.yaml')
  t.equal(own.code, 2, 'written by hand: wrong use')
  t.match(
    own.text,
    /'own\.yaml' was not written by learn, so it is not overwritten\. Name another file with --out/,
    'it says so',
  )
  await learn(t, mock.url, folder)
  const theirs = await learn(t, other.url, folder)
  t.equal(theirs.code, 2, "another provider's: wrong use")
  t.match(theirs.text, `was learned from '${mock.url}', so it is not overwritten`, 'it says of whom')
})

t.test('a file that is wrong or stale is refused with place and reason', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({})
  const { file } = await learn(t, mock.url, folder)
  const text = readFileSync(file, 'utf8')
  for (const [name, changed, message] of [
    [
      'edited by hand',
      text.replace('unknownSort: invalid', 'unknownSort: ignore'),
      /:\d+:\d+.+evidence shows 'invalid' for 'unknownSort', but 'interpretations\.unknownSort' is 'ignore'\. Run learn again/s,
    ],
    ['of a version to come', text.replace('version: 1', 'version: 2'), /:3:10.+'version' must be 1, not 2/s],
    [
      'with an unknown switch',
      text.replace('unknownSort: invalid', 'unknownSorts: invalid'),
      /'unknownSorts' is unknown\. Did you mean 'unknownSort'/,
    ],
    [
      'with an unknown value',
      text.replace(/unknownSort: invalid/g, 'unknownSort: refuse'),
      /must be one of invalid, ignore, not 'refuse'/,
    ],
    [
      'without a date',
      text.replace(/at: \d{4}-\d\d-\d\dT\S+/, 'at: yesterday'),
      /'learned\.at' must be an ISO 8601 time/,
    ],
    ['cut off', text.slice(0, 200).replace(/[^\n]*$/, '  - ['), /:\d+:\d+/],
  ] as const) {
    writeFileSync(file, changed)
    const verify = await run(t, ['verify', '--target', mock.url, '--token', TOKEN, '--interpretations', file])
    t.equal(verify.code, 2, `${name}: wrong use of verify`)
    t.match(verify.err, message, 'told with its place')
    const start = await run(t, ['start', '--port', '0', '--interpretations', file])
    t.equal(start.code, 1, 'and it stops the start')
    t.match(start.err, message, 'for the same reason')
  }
})

t.test('a provider that cannot be asked leaves no file', async (t) => {
  const folder = t.testdir({})
  const down = await learn(t, await stub(t, answering(503, '')), folder)
  t.equal(down.code, 3, 'status 3')
  t.match(down.text, /is unavailable: it answers with 503/, 'it says why')
  t.equal(down.learned, undefined, 'nothing is written')
})

t.test('what was learned shows wherever provenance does', async (t) => {
  const theirs = await provider(t, { interpretations: { errorBody: 'flat', unknownOrganization: 404 } })
  const folder = t.testdir({})
  const { file } = await learn(t, theirs.url, folder)
  const { out } = await run(t, ['list', 'interpretations', '--interpretations', file])
  t.match(out, `observed at ${theirs.url} on 2`, 'in lists')
  const outcomes = await run(t, ['list', 'outcomes', '--interpretations', file])
  t.match(outcomes.out, /verifyDocument:404 +observed /, 'an error body')
  t.match(outcomes.out, /listCreditHistories:404 +observed /, 'a status that a switch brings in')
  t.match(outcomes.out, /createSigningLink:404 +assumed /, 'and what nobody saw stays a reading')
  const document = JSON.parse((await run(t, ['openapi', '--interpretations', file])).out)
  t.match(document.info['x-observed'], { target: theirs.url, at: /^2/ }, 'the OpenAPI document says of whom, and when')
  const { responses } = document.paths['/api/v2/credits/histories'].get
  t.match(responses['404'], { 'x-provenance': 'observed', 'x-observed': ['I-06'] }, 'and a response what settled it')
  t.match(responses['200'], { 'x-provenance': 'shown', 'x-observed': ['I-01', 'I-22'] }, 'what is shown stays shown')
  const docs = await run(t, ['list', 'operations', '--interpretations', file])
  t.equal(docs.code, 0, 'and all else works')
})
