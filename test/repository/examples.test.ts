import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { outcomeIds } from '../../schemas/scenario.js'
import { startMockServer } from '../../src/index.js'
import { folder, launch, run as runBinary, UNHOOKED } from '../binary.js'
import { run } from '../command-line.js'

/** The project's folder, where all of this works. */
const cwd = fileURLToPath(new URL('../..', import.meta.url))

/** How Cypress makes the URL of `cy.request(path)` and `cy.visit(path)`: base and path are joined as text. */
function asCypress(baseUrl: string, path: string): string {
  return `${baseUrl.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}

t.test("the Cypress example drives its sandbox, and Cypress's paths stay in it", async (t) => {
  const mock = await startMockServer({ port: 0 })
  t.teardown(() => mock.close())
  // Cypress itself is a binary that npm does not have: its config is loaded as Cypress loads it, its calls are made here.
  const place = folder(t)
  mkdirSync(join(place, 'node_modules/cypress'), { recursive: true })
  writeFileSync(
    join(place, 'node_modules/cypress/package.json'),
    '{ "name": "cypress", "type": "module", "exports": "./index.js" }',
  )
  writeFileSync(join(place, 'node_modules/cypress/index.js'), 'export const defineConfig = (config) => config')
  symlinkSync(cwd, join(place, 'node_modules/countersign'))
  cpSync(join(cwd, 'examples/cypress'), place, { recursive: true })
  const script = `
    const { default: { e2e } } = await import('./cypress.config.js')
    let tasks
    await e2e.setupNodeEvents((_, all) => { tasks = all })
    await tasks.reset()
    await tasks.activate('listCreditHistories:401')
    for (const path of ['/api/v2/credits/histories', 'api/v2/credits/histories'])
      await fetch((${asCypress})(e2e.baseUrl, path))
    console.log(JSON.stringify((await tasks.requests('listCreditHistories')).map(({ sandbox, outcome }) => [sandbox, outcome])))`
  const env = { COUNTERSIGN_URL: mock.url, COUNTERSIGN_ADMIN_URL: mock.adminUrl }
  const arguments_ = ['--input-type=module', '--eval', script]
  const { code, out, err } = await launch(t, process.execPath, arguments_, { cwd: place, env }).ended
  t.equal(code, 0, 'the config works', { err })
  const met = ['cypress', 'listCreditHistories:401']
  t.strictSame(JSON.parse(out), [met, met], 'each call is in the sandbox')
  t.strictSame(await mock.requests(), [], 'none is in the root')
})

t.test('the sample suite passes under exec with the gates on', async (t) => {
  const judged = ['--fail-on', 'violations,unmatched,deviations']
  const required = ['--require', 'createSigningLink:500,searchProtectedAttachments:404']
  // What the suite meets: two searches, two links and a list of credits.
  const covered = ['--min-coverage', `${Math.floor((100 * 5) / outcomeIds.length)}`]
  const suite = [process.execPath, '--test', 'examples/exec/suite.test.mjs']
  const argv = ['exec', ...judged, ...required, ...covered, '--', ...suite]
  const { code, out, err } = await runBinary(t, argv, { cwd })
  t.equal(code, 0, 'the suite keeps every gate', { out, err })
})

const breaks: readonly (readonly [gate: readonly string[], script: string, says: RegExp])[] = [
  [['--fail-on', 'violations'], 'breaks-violations.mjs', /not-multipart[\s\S]*FormData/],
  [['--fail-on', 'unmatched'], 'breaks-unmatched.mjs', /GET \/api\/v2\/credit\/histories/],
  [['--fail-on', 'unused', '--scenario', 'flaky-network'], 'breaks-unmatched.mjs', /flaky-network#1/],
  [['--require', 'addOrganizationMember:409'], 'breaks-unmatched.mjs', /addOrganizationMember:409 was never met/],
  [['--min-coverage', '50'], 'breaks-unmatched.mjs', /50 % are required/],
]

t.test('a client that breaks a gate fails, and is told how to fix it', async (t) => {
  for (const [gate, script, says] of breaks) {
    const client = [...UNHOOKED, process.execPath, `examples/exec/${script}`]
    const { code, err } = await run(t, ['exec', ...gate, '--', ...client], { cwd })
    t.equal(code, 1, `${gate.join(' ')} fails`)
    t.match(err, says, `${gate.join(' ')} says how to fix it`)
  }
})
