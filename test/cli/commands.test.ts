import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { verifyDocument } from '../../schemas/index.js'
import { interpretations } from '../../schemas/interpretations.js'
import { outcomeIdsOf } from '../../src/engine/contract/contract.js'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fetchUrl, requestOf } from '../helper.js'

interface Switched {
  readonly switches: readonly { readonly name: string }[]
}

async function listJson(t: Test, args: readonly string[], cwd = folder(t)) {
  const { code, out, err } = await run(t, ['list', ...args, '--json'], { cwd })
  t.same([code, err], [0, ''], `list ${args.join(' ')} --json succeeds`)
  return JSON.parse(out)
}

t.test('list --json prints one list as an array', async (t) => {
  const operations = contracts.map(({ id, method, path, summary }) => ({ id, method, path, summary }))
  t.same(await listJson(t, ['operations']), operations, 'operations')
  const outcomes: { outcome: string }[] = await listJson(t, ['outcomes'])
  const ids = outcomes.map(({ outcome }) => outcome)
  t.same(ids, outcomeIdsOf(contracts), 'outcomes')
  t.match(outcomes[0], { provenance: 'shown', description: 'The signature is stored.' }, 'with provenance')
  const scenarios: { name: string; active: boolean }[] = await listJson(t, ['scenarios', '--scenario', 'empty-account'])
  t.match(scenarios[0], { name: 'empty-account', active: true, description: /^An account/ }, 'scenarios')
  t.equal(scenarios.filter(({ active }) => active).length, 1, 'the others are inactive')
  t.match(await listJson(t, ['tokens']), [
    { token: 'token-admin', email: /@/, permissions: ['manage_sub_organization_members'] },
    { token: 'token-member', permissions: { length: 0 } },
  ])
})

t.test('list interpretations --json has the value and default of each switch', async (t) => {
  const config = 'interpretations: { successStatus: 201, signingLinkBody: { url: "{link}" } }\n'
  const all: Switched[] = await listJson(t, ['interpretations'], folder(t, { 'countersign.config.yaml': config }))
  t.same(
    all.map(({ switches, ...one }) => ({ ...one, switches: switches.map(({ name }) => name) })),
    interpretations.map((one) => ({ switches: [], ...one })),
  )
  const byName = Object.fromEntries(all.flatMap(({ switches }) => switches.map((one) => [one.name, one])))
  t.match(byName, {
    successStatus: { value: 201, default: 200, allowed: /^200 or 201/ },
    signingLinkBody: { value: { url: '{link}' }, default: { link: '{link}' } },
    missingUserType: { value: null, default: null, allowed: /^one of 400, 401, 422$/ },
  })
})

t.test('openapi prints the document that the package ships', async (t) => {
  const shipped = JSON.parse(readFileSync('openapi.json', 'utf8'))
  t.same(JSON.parse((await run(t, ['openapi'])).out), shipped, 'it is the shipped document')
  const { out } = await run(t, ['openapi', '--version', '3.0'])
  t.equal(JSON.parse(out).openapi, '3.0.3', '--version 3.0 prints OpenAPI 3.0')
})

type History = Readonly<Record<'id' | 'type' | 'created_at' | 'user_type' | 'currency', string>>

const historiesIn = (folder: string): History[] =>
  JSON.parse(readFileSync(join(folder, 'credit_histories.json'), 'utf8')).credit_histories

t.test('seed writes the same bytes for the same seed, and the server serves them', async (t) => {
  const cwd = folder(t)
  const bytes = (name: string) =>
    readdirSync(join(cwd, name)).map((file) => [file, readFileSync(join(cwd, name, file), 'utf8')])
  const counts = '--until 2026-06-30 --credits 50 --attachments 5 --members 5 --sub-members 5 --documents 5'
  for (const line of ['--out a --seed 7', '--out b --seed 7', '--out c --seed 8']) {
    t.match(await run(t, `seed ${line} ${counts}`.split(' '), { cwd }), { code: 0 }, line)
  }
  t.same(bytes('a'), bytes('b'), 'the same seed gives the same bytes')
  t.not(JSON.stringify(bytes('a')), JSON.stringify(bytes('c')), 'another seed gives other bytes')
  const known = new Set(historiesIn('fixtures').map(({ id }) => id))
  const histories = historiesIn(join(cwd, 'a')).filter(({ id }) => !known.has(id))
  const valuesOf = (name: keyof History) => [...new Set(histories.map((one) => one[name]))].sort()
  t.same(valuesOf('type'), ['allocation', 'free_credit', 'purchase', 'return'], 'every documented type occurs')
  t.same(valuesOf('user_type'), ['ENTERPRISE', 'ENTERPRISE_API'], 'both user types')
  t.same(valuesOf('currency'), ['CHF', 'EUR', 'GBP', 'USD'], 'several currencies')
  const last = Math.max(...valuesOf('created_at').map(Date.parse))
  t.ok(last < Date.parse('2026-07-01'), 'no record is later than --until')
  t.ok(last > Date.parse('2026-06-01'), 'there are records of the last thirty days before it')
  t.match(await run(t, ['validate', '--fixtures', 'a'], { cwd }), { code: 0 }, 'the written files are valid')
  await run(t, ['seed', '--out', 'today', '--credits', '50'], { cwd })
  const month = Date.now() - 30 * 24 * 3_600_000
  const recent = historiesIn(join(cwd, 'today')).filter((one) => Date.parse(one.created_at) > month)
  t.ok(recent.length > 3, 'without --until, there are records of the last thirty days')
})

t.test('init writes files to start from, which are valid and served', async (t) => {
  const cwd = folder(t)
  t.match(await run(t, ['init'], { cwd }), { code: 0 })
  t.match(await run(t, ['validate'], { cwd }), { code: 0 }, 'the written files are valid')
  const { url, out } = await serve(t, [], { cwd })
  t.match(out(), /token-mine/, 'the written fixtures are served')
  for (const token of ['token-mine', 'token-admin', 'token-member']) {
    const headers = { authorization: `Bearer ${token}` }
    t.match(await fetchUrl(`${url}/api/v2/credits/histories`, { headers }), { status: 400 }, `${token} is known`)
  }
  const { url: path, payload, ...rest } = requestOf(verifyDocument)
  const verified = await fetchUrl(url + path, { ...rest, body: payload } as RequestInit)
  t.equal(verified.status, 200, 'the default fixtures are served, too')
})
