import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { SwitchName } from '../../schemas/interpretations.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { learnedFrom } from '../../src/provider/learned-file.js'
import { countsWhenStrict } from '../../src/provider/report/results.js'
import { verifyProvider } from '../../src/provider/verify.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { others as switched } from '../switches/readings.js'
import { harmless } from './harmless.js'
import { mutatingProvider } from './mutating-provider.js'
import { share } from './share.js'
import { answering, provider, stub, TOKEN } from './stub.js'

const CLOCK = '2026-03-01T12:00:00.250Z'

async function learn(t: Test, url: string, folder: string, ...argv: string[]) {
  const { code, out, err } = await run(t, ['learn', '--target', url, '--token', TOKEN, '--retries', '0', ...argv], {
    cwd: folder,
  })
  const file = join(folder, 'countersign.learned.yaml')
  return { code, text: `${err}${out}`, file, learned: existsSync(file) ? parse(readFileSync(file, 'utf8')) : undefined }
}

/** Calls that between them show every switch, each with what it is answered. */
async function wire(url: string): Promise<unknown[]> {
  const form = (fields: Readonly<Record<string, string>>) => {
    const data = new FormData()
    for (const [name, value] of Object.entries(fields)) data.set(name, value)
    return data
  }
  const user = 'user_type=ENTERPRISE_API'
  const page = 'page=1&per_page=2&organization_uuid=1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'
  const verified = { code: 'DOC-2025-0001', user_uuid: '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31' }
  const invitation = (email: string, organization: string) =>
    form({
      'data[0][email]': email,
      'data[0][first_name]': 'A',
      'data[0][last_name]': 'B',
      'data[0][role]': 'Member',
      'data[0][organization_id]': organization,
    })
  const search = '/api/v2/projects/protect'
  const histories = '/api/v2/credits/histories'
  const verify = '/api/v2/verifications/document/verify'
  const add = `/api/v2/organization/members/add?${user}`
  const member = (sub: string, id: string) => `/api/v2/sub-organizations/${sub}/members/${id}?${user}`
  const own = '6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60'
  const signature = form({})
  signature.set(
    'file',
    new File([readFileSync('fixtures/files/signature.png')], 'signature.png', { type: 'image/png' }),
  )
  const calls: readonly [method: string, path: string, body?: FormData][] = [
    ['GET', `${search}?${user}&keyword[sample_1]=contract`],
    ['GET', `${search}?${user}&keyword[sample_1]=contract&keyword[sample_2]=nowhere`],
    ['GET', `${search}?${user}&keyword[sample_1]=contract&keyword[sample_2]=`],
    ['GET', `${search}?${user}&keyword[sample_1]=nowhere`],
    ['GET', `${search}?keyword[sample_1]=contract`],
    ['GET', `${histories}?${page}`],
    ['GET', `${histories}?${page}&sort=nothing`],
    ['GET', `${histories}?${page}&sort=`],
    ['GET', `${histories}?${page.replace('1c9e', '0000')}`],
    ['POST', `${verify}?${user}`, form(verified)],
    ['POST', `${verify}?${user}`, form({ ...verified, user_uuid: '7c2d9e41-6a5b-4f38-8e17-2b9c0d1f3a64' })],
    ['POST', verify, form(verified)],
    ['POST', add, invitation('x@example.test', '1')],
    ['POST', add, invitation('x@example.test', '1')],
    ['POST', add, invitation('y@example.test', '4711')],
    ['POST', `/client/signature?${user}`, signature],
    ['PUT', member(own, '102'), form({ first_name: '' })],
    ['PUT', member(own, '102'), form({ role: 'Member' })],
    ['PUT', member('e0c4a7d2-9f13-4b85-a6e8-3d5b1c7f9024', '302'), form({})],
    ['POST', '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link?email=grace@example.test'],
    ['POST', '/api/v2/projects/a4e2f6d8-5b1c-4d3e-8f90-6a7b8c9d0e11/link'],
  ]
  const answers: unknown[] = []
  for (const [method, path, body] of calls) {
    const response = await fetch(url + path, {
      method,
      body: body ?? null,
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const text = (await response.text()).replaceAll(url, '')
    answers.push([method, path, response.status, text])
  }
  return answers
}

/** What of a reading's template nobody can see: its words are samples. */
const SHOWN: Partial<Record<SwitchName, unknown>> = {
  errorBody: undefined,
  signingLinkBody: undefined,
  successWords: undefined,
}

t.test('each switch: a provider that has another value is learned, and the mock does the same', async (t) => {
  for (const [name, value] of Object.entries(switched) as [SwitchName, unknown][]) {
    const readings = { [name]: value } as Partial<Readings>
    const folder = t.testdir({})
    const theirs = await provider(t, { interpretations: readings, clock: CLOCK })
    const { code, learned, file, text } = await learn(t, `${theirs.url}/~learn`, folder, '--allow-writes')
    t.equal(code, 0, `${name}: it is learned`, { text })
    if (!(name in SHOWN)) t.strictSame(learned.interpretations[name], value, 'the value is found')
    t.ok(learned.evidence !== undefined && text.includes(name), 'with evidence')

    const strict = ['--strict', '--allow-writes', '--interpretations', file, '--retries', '0']
    const again = await run(t, ['verify', '--target', `${theirs.url}/~again`, '--token', TOKEN, ...strict])
    t.equal(again.code, 0, `${name}: verify --strict is clean`, { text: again.out })

    const ours = await provider(t, { ...fromFile(file), clock: CLOCK })
    const [one, other] = [await wire(theirs.url), await wire(ours.url)]
    if (name === 'errorBody' || name === 'signingLinkBody' || name === 'successWords')
      t.strictSame(other.map(alike), one.map(alike), `${name}: the mock answers in the same shape`)
    else t.strictSame(other, one, `${name}: the mock answers the same bytes`)
    await theirs.close()
    await ours.close()
  }
})

function fromFile(file: string): { readonly interpretations: Partial<Readings> } {
  return { interpretations: parse(readFileSync(file, 'utf8')).interpretations }
}

/** The status and the shape of an answer. */
function alike(answer: unknown): unknown {
  const [method, path, status, text] = answer as [string, string, number, string]
  return [method, path, status, shape(JSON.parse(text))]
}

function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]))
}

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
  t.strictSame(
    (await wire(ours.url)).map(alike),
    (await wire(theirs.url)).map(alike),
    'the mock answers in the same shapes',
  )
})

t.test('after learning, any harmless variation is clean with --strict', { timeout: 300_000 }, async (t) => {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  for (const variation of share(harmless, 3)) {
    const target = { url: provide(variation), token: TOKEN, headers: [], timeout: 5_000, retries: 0 }
    const first = await verifyProvider(defaultReadings, contracts, target, { allowWrites: true })
    const { interpretations } = learnedFrom(first.lessons, target.url, new Date())
    const readings = { ...defaultReadings, ...interpretations } as Readings
    const again = { ...target, url: provide(variation) }
    const { findings } = await verifyProvider(readings, contractsUnder(contracts, readings), again, {
      allowWrites: true,
    })
    const left = findings.all.filter((one) => one.state === 'drift' || countsWhenStrict(one))
    t.strictSame(left, [], variation.name)
  }
})

t.test('a learned file is small, sorted, stable, and added to', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({})
  const first = await learn(t, mock.url, folder)
  t.equal(first.code, 0, 'without writes')
  t.match(
    first.text,
    /Not shown\n {6}pendingInvitation +It needs --allow-writes\./,
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
    /'own\.yaml' was not written by learn, and is not overwritten: name another file with --out/,
    'it says so',
  )
  await learn(t, mock.url, folder)
  const theirs = await learn(t, other.url, folder)
  t.equal(theirs.code, 2, "another provider's: wrong use")
  t.match(theirs.text, `was learned of '${mock.url}', and is not overwritten`, 'it says of whom')
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
      /:\d+:\d+.+evidence shows 'invalid' for 'unknownSort', but 'interpretations\.unknownSort' is 'ignore'\. Learn anew/s,
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
  t.match(down.text, /is unavailable: it answers 503/, 'it says why')
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
