import t, { type Test } from 'tap'
import { outcomeId } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { interpretations } from '../../schemas/interpretations.js'
import { outcomeIds } from '../../schemas/scenario.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

interface Switched {
  readonly switches: readonly { readonly name: string }[]
}

/** What `list … --json` prints, in this folder. */
async function listed(t: Test, args: readonly string[], cwd = folder(t)) {
  const { code, out, err } = await run(t, ['list', ...args, '--json'], { cwd })
  t.same([code, err], [0, ''], `list ${args.join(' ')} --json ends well`)
  return JSON.parse(out)
}

t.test('one list as data is an array', async (t) => {
  const operations = contracts.map(({ id, method, path, summary }) => ({ id, method, path, summary }))
  t.same(await listed(t, ['operations']), operations, 'operations')
  const outcomes = contracts.flatMap((contract) =>
    Object.entries(contract.responses).map(([status, { provenance, description }]) => ({
      outcome: outcomeId(contract, Number(status)),
      provenance,
      description,
    })),
  )
  t.same(await listed(t, ['outcomes']), outcomes, 'outcomes')
  const [scenario, ...others] = await listed(t, ['scenarios', '--scenario', 'empty-account'])
  t.same(Object.keys(scenario), ['name', 'active', 'description'], 'scenarios')
  t.match(scenario, { name: /^empty-account$/, active: true, description: /^An account/ }, 'one that is on')
  for (const one of others) t.equal(one.active, false, `${one.name} is off`)
  t.match(await listed(t, ['tokens']), [
    { token: 'token-admin', email: /@/, permissions: ['manage_sub_organization_members'] },
    { token: 'token-member', permissions: [] },
  ])
})

t.test('interpretations as data have their switches, as they are set and by default', async (t) => {
  const config = 'interpretations: { successStatus: 201, signingLinkBody: { url: "{link}" } }\n'
  const all: Switched[] = await listed(t, ['interpretations'], folder(t, { 'countersign.config.yaml': config }))
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
  t.same(byName.keywordMatch, { name: 'keywordMatch', value: 'all', default: 'all', allowed: 'one of all, any' })
})

t.test('several lists as data are one object with a key each', async (t) => {
  const all = await listed(t, [])
  const names = ['operations', 'outcomes', 'scenarios', 'tokens', 'statements', 'interpretations', 'mutants']
  t.same(Object.keys(all), names)
  t.same(all.statements, await listed(t, ['statements']), 'each as it is alone')
  t.same(Object.keys(await listed(t, ['tokens', 'operations'])), ['tokens', 'operations'], 'those that are named')
})

t.test('list prints operations, outcomes, scenarios and tokens', async (t) => {
  const { out } = await run(t, ['list', '--scenario', 'empty-account'])
  for (const { id, method, path } of contracts)
    t.match(out, new RegExp(`^ {2}${id} +${method} +${path.replace(/[{}]/g, '.')} `, 'm'), `${id} is listed`)
  for (const outcome of outcomeIds)
    t.match(out, new RegExp(`^ {2}${outcome} +(shown|bodyNotShown|assumed) `, 'm'), `${outcome} is listed`)
  t.match(out, /^ {2}empty-account +on +An account/m, 'a scenario is listed, and whether it is on')
  t.match(out, /^ {2}token-admin +amelie/m, 'a token is listed with its user')
  const { out: tokens } = await run(t, ['list', 'tokens'])
  t.match(tokens, /^Tokens\n {2}token-admin/, 'one list may be asked for')
  t.notMatch(tokens, 'Operations', 'the other lists are left out')
})
