import t, { type Test } from 'tap'
import { outcomeId } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { interpretations } from '../../schemas/interpretations.js'
import { statements } from '../../schemas/statements.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

/** What `list … --json` prints, in this folder. */
async function listed(t: Test, args: readonly string[], cwd = folder(t)) {
  const { code, out, err } = await run(t, ['list', ...args, '--json'], { cwd })
  t.same([code, err], [0, ''], `list ${args.join(' ')} --json ends well`)
  return JSON.parse(out)
}

t.test('one list as data is an array', async (t) => {
  const operations = contracts.map(({ id, method, path, summary }) => ({ id, method, path, summary }))
  t.same(await listed(t, ['operations']), operations, 'operations')
  t.same(
    await listed(t, ['outcomes']),
    contracts.flatMap((contract) =>
      Object.entries(contract.responses).map(([status, { provenance, description }]) => ({
        outcome: outcomeId(contract, Number(status)),
        provenance,
        description,
      })),
    ),
    'outcomes',
  )
  const [scenario] = await listed(t, ['scenarios', '--scenario', 'empty-account'])
  t.same(Object.keys(scenario), ['name', 'active', 'description'], 'scenarios')
  t.match(await listed(t, ['tokens']), [
    { token: 'token-admin', email: /@/, permissions: ['manage_sub_organization_members'] },
    { token: 'token-member', permissions: [] },
  ])
})

t.test('a scenario that is on is told as such', async (t) => {
  const on = (await listed(t, ['scenarios', '--scenario', 'empty-account'])).filter(
    (one: { active: boolean }) => one.active,
  )
  t.match(on, [{ name: 'empty-account', description: /^An account/ }])
  t.equal(on.length, 1)
})

t.test('statements as data', async (t) => {
  const all = await listed(t, ['statements'])
  t.same(
    all.map(({ id, text }: { id: string; text: string }) => ({ id, text })),
    statements.map(({ id, text }) => ({ id, text })),
  )
  const byId = new Map(all.map((one: { id: string }) => [one.id, one]))
  t.match(byId.get('S0.5'), { notShown: true, operations: [] }, 'one that is not shown')
  t.match(byId.get('SA.4'), { notShown: false, operations: contracts.map(({ id }) => id) }, 'one that all cite')
  t.match(byId.get('S3.4'), { notShown: false, operations: ['verifyDocument'] }, 'one that one operation cites')
})

t.test('interpretations as data have their switches, as they are set and by default', async (t) => {
  const config = 'interpretations: { successStatus: 201, signingLinkBody: { url: "{link}" } }\n'
  const all = await listed(t, ['interpretations'], folder(t, { 'countersign.config.yaml': config }))
  t.same(
    all.map(({ switches, ...one }: { switches: { name: string }[] }) => [one, switches.map(({ name }) => name)]),
    interpretations.map(({ id, about, decision, reason, ...one }) => [
      { id, about, decision, reason },
      'switches' in one ? one.switches : [],
    ]),
  )
  const byName = new Map(
    all.flatMap(({ switches }: { switches: { name: string }[] }) => switches.map((one) => [one.name, one])),
  )
  t.match(byName.get('successStatus'), { value: 201, default: 200, allowed: /^200 or 201/ })
  t.same(byName.get('keywordMatch'), { name: 'keywordMatch', value: 'all', default: 'all', allowed: 'one of all, any' })
  t.match(byName.get('signingLinkBody'), { value: { url: '{link}' }, default: { link: '{link}' } }, 'values are data')
  t.match(byName.get('missingUserType'), { value: null, default: null, allowed: 'one of 400, 401, 422' })
})

t.test('several lists as data are one object with a key each', async (t) => {
  const all = await listed(t, [])
  t.same(Object.keys(all), [
    'operations',
    'outcomes',
    'scenarios',
    'tokens',
    'statements',
    'interpretations',
    'mutants',
  ])
  t.same(all.statements, await listed(t, ['statements']), 'each as it is alone')
  t.same(Object.keys(await listed(t, ['tokens', 'operations'])), ['tokens', 'operations'], 'those that are named')
})

t.test('the help names every list', async (t) => {
  const { out } = await run(t, ['help', 'list'])
  for (const name of Object.keys(await listed(t, []))) t.match(out, new RegExp(`^ {2}${name} `, 'm'))
})
