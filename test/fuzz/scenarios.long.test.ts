import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { parse } from 'yaml'
import { contracts } from '../../schemas/contracts.js'
import { shippedScenarios } from '../../src/package-root.js'
import { Library } from '../../src/world/scenarios/library.js'
import { loadScenarios } from '../../src/world/scenarios/load.js'
import type { Scenario } from '../../src/world/scenarios/scenario.js'
import { folder } from '../binary.js'
import { all, build } from '../helper.js'
import { holds } from '../property.js'
import { checkComplaints, type Mangled, mangled, readOrRefuse, textOf } from './documents.js'
import { exercise } from './exercise.js'

const NAMES = 'empty-account expired-token flaky-network invitation-conflicts saved-but-failed slow-everything'.split(
  ' ',
)
const WORDS = [
  ...contracts.map(({ id }) => id),
  ...'version description extends rules on when times chance answer then offContract status body headers delay'.split(
    ' ',
  ),
  ...'fault effect after query path token state equals contains matches absent uniform lognormal TIMEOUT other a'.split(
    ' ',
  ),
  ...'verifyDocument:404 content-type x-mock-outcome user_type'.split(' '),
]

const bases: Record<string, unknown> = {
  everything: {
    version: 1,
    description: 'One of each.',
    extends: ['other', 'verifyDocument:404'],
    rules: [
      {
        on: ['addOrganizationMember', 'uploadSignature'],
        when: {
          query: { user_type: 'ENTERPRISE_API' },
          headers: { 'User-Agent': { contains: 'x', absent: false } },
          body: { 'data[0][email]': { matches: '^[a-z]+@' } },
          token: { startsWith: 'token' },
          state: 'Started',
        },
        times: 2,
        chance: 0.5,
        answer: { status: 401, headers: { 'x-a': 'b' } },
        then: 'Next',
      },
      {
        on: 'listCreditHistories',
        answer: { body: { error: 1 }, offContract: true, headers: { 'Content-Type': 'text/plain' } },
      },
      { on: '*', answer: { delay: { uniform: { lower: 1, upper: 2 } } } },
    ],
  },
}
for (const name of NAMES) bases[name] = parse(await readFile(join(shippedScenarios, `${name}.yaml`), 'utf8'))

/** Whether calls are answered soon when it is on. */
function isQuick({ rules }: Scenario): boolean {
  return rules.every(
    ({ answer: { delay = 0, fault } }) => typeof delay === 'number' && delay < 20 && fault === undefined,
  )
}

t.test('a scenario file, whatever it holds, is refused in words or can be played', async (t) => {
  const place = join(folder(t), 'scenarios')
  const server = await build(t)
  const { root, shared } = { root: server.worlds.root, shared: server.worlds.shared }
  const check = async (one: Mangled) => {
    await rm(place, { recursive: true, force: true })
    await mkdir(place)
    await writeFile(join(place, `a.${one.ending}`), textOf(bases, one))
    await writeFile(join(place, 'other.yaml'), 'extends: ["listCreditHistories:400"]\n')
    const context = { contracts: all }
    const library = new Library(context.contracts, async (outcome) => {
      const loaded = await readOrRefuse(() => loadScenarios([place], { ...context, outcome }))
      return loaded ?? { scenarios: new Map(), complaints: [], notes: [], broken: new Set() }
    })
    const complaints = await library.load()
    const scenario = library.find('a')
    if (scenario === undefined || complaints.length > 0) checkComplaints(complaints)
    if (scenario === undefined || !isQuick(scenario)) return
    root.reset()
    server.worlds.use({ ...shared, library })
    root.playback.activate('a')
    await exercise(server)
    await exercise(server)
  }
  await holds(t, 'any file', fc.asyncProperty(mangled(bases, WORDS), check), { numRuns: 150, seed: 20_261 })
})
