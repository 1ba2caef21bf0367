import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import type { Readings } from '../../schemas/readings.js'
import { envelopeOf } from '../../src/provider/readings/error-body.js'
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
  t.match(first.text, /Not shown\n {6}attachmentStatus +All attachments that were found are protected\.\n/, 'why not')
  t.match(first.text, /protected\.\n {6}pendingInvitation +It needs --allow-writes\./, 'and why another is not shown')
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
  const own = "'own.yaml' was not written by learn, so it is not overwritten. Name another file with --out"
  t.match(await learn(t, mock.url, folder, '--out', 'own.yaml'), { code: 2, text: own }, 'what was written by hand')
  await learn(t, mock.url, folder)
  const theirs = `was learned from '${mock.url}', so it is not overwritten`
  t.match(await learn(t, other.url, folder), { code: 2, text: theirs }, "another provider's")
})

t.test('a file that is wrong or stale is refused with place and reason', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({})
  const { file } = await learn(t, mock.url, folder)
  const text = readFileSync(file, 'utf8')
  const other = "evidence shows 'invalid' for 'unknownSort', but 'interpretations\\.unknownSort' is 'ignore'"
  for (const [what, to, err] of [
    ['unknownSort: invalid', 'unknownSort: ignore', new RegExp(`:\\d+:\\d+.+${other}\\. Run learn again`, 's')],
    ['version: 1', 'version: 2', /:3:10.+'version' must be 1, not 2/s],
    ['unknownSort: invalid', 'unknownSorts: invalid', /'unknownSorts' is unknown\. Did you mean 'unknownSort'/],
    [/unknownSort: invalid/g, 'unknownSort: refuse', /must be one of invalid, ignore, not 'refuse'/],
    [/at: \d{4}-\d\d-\d\dT\S+/, 'at: yesterday', /'learned\.at' must be an ISO 8601 time/],
    [/\ninterpretations:[\s\S]*/, '\ninterpretations:\n  - [', /:\d+:\d+/],
  ] as const) {
    writeFileSync(file, text.replace(what, to))
    const verify = await run(t, ['verify', '--target', mock.url, '--token', TOKEN, '--interpretations', file])
    t.match(verify, { code: 2, err }, `${to}: wrong use of verify`)
    const start = await run(t, ['start', '--port', '0', '--interpretations', file])
    t.match(start, { code: 1, err }, `${to}: it stops the start`)
  }
})

t.test('a provider that cannot be asked leaves no file', async (t) => {
  const folder = t.testdir({})
  const down = await learn(t, await stub(t, answering(503, '')), folder)
  t.match(down, { code: 3, text: /is unavailable: it answers with 503/, learned: undefined }, 'it says why')
})

t.test('what was learned shows wherever provenance does', async (t) => {
  const theirs = await provider(t, { interpretations: { errorBody: 'flat', unknownOrganization: 404 } })
  const folder = t.testdir({})
  const { file } = await learn(t, theirs.url, folder)
  const { out } = await run(t, ['list', 'interpretations', '--interpretations', file])
  t.match(out, `observed at ${theirs.url} on 2`, 'in lists')
  const { out: outcomes } = await run(t, ['list', 'outcomes', '--interpretations', file])
  t.match(outcomes, /verifyDocument:404 +observed /, 'an error body')
  t.match(outcomes, /listCreditHistories:404 +observed /, 'a status that a switch brings in')
  t.match(outcomes, /createSigningLink:404 +assumed /, 'and what nobody saw stays a reading')
  const document = JSON.parse((await run(t, ['openapi', '--interpretations', file])).out)
  t.match(document.info['x-observed'], { target: theirs.url, at: /^2/ }, 'the OpenAPI document says of whom, and when')
  const { responses } = document.paths['/api/v2/credits/histories'].get
  t.match(responses['404'], { 'x-provenance': 'observed', 'x-observed': ['I-06'] }, 'and a response what settled it')
  t.match(responses['200'], { 'x-provenance': 'shown', 'x-observed': ['I-01', 'I-22'] }, 'what is shown stays shown')
  t.match(await run(t, ['list', 'operations', '--interpretations', file]), { code: 0 }, 'and all else works')
})

t.test('a message is found under any key: the longest sentence', async (t) => {
  const body = (why: string) => ({ ok: false, http: 400, why, ref: 'https://example.test/errors' })
  const errors = ['No page.', 'The page must be a number.'].map((why) => ({ status: 400, body: body(why) }))
  t.match(envelopeOf(errors), { ok: false, http: '{status}', why: '{message}' })
})
