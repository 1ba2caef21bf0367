import t from 'tap'
import { unknownVariables } from '../../src/server/unknown-variables.js'
import { folder, type Place } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fetched } from '../helper.js'

/** Variables that nobody reads, and what they were meant for. */
const misspelt = {
  PROT: 'PORT',
  HOTS: 'HOST',
  Port: 'PORT',
  PORTS: 'PORT',
  FIXTURE: 'FIXTURES',
  BODYLIMIT: 'BODY_LIMIT',
  LOG_REQUEST: 'LOG_REQUESTS',
  ADMIN_TOKN: 'ADMIN_TOKEN',
  ADMIN_URI: 'ADMIN_URL',
  TOKNE: 'TOKEN',
  JOURNAL: 'JOURNAL_SIZE',
}

t.test('what is unknown is told, with the right name where one is near, and never its value', async (t) => {
  const told = (name: string) => unknownVariables({ [`COUNTERSIGN_${name}`]: 'a-secret' })
  const unknown = (name: string) => `The environment variable COUNTERSIGN_${name} is unknown`
  for (const [name, right] of Object.entries(misspelt))
    t.same(told(name), { mistaken: [`${unknown(name)}. Did you mean COUNTERSIGN_${right}?`], strange: [] })
  for (const name of ['TEST', 'CI', 'UI', 'VERSION', 'STAGING_TOKEN', 'TARGET', 'ENV'])
    t.same(told(name), { mistaken: [], strange: [`${unknown(name)} and has no effect.`] })
  t.same(unknownVariables({ COUNTERSIGN_ACTIVE: 'x', COUNTERSIGN_INVITATION: 'x' }).mistaken, [
    "There is no environment variable COUNTERSIGN_ACTIVE. Set 'active' in the config file, or use COUNTERSIGN_SCENARIO.",
    "There is no environment variable COUNTERSIGN_INVITATION. Set 'invitations' in the config file.",
  ])
})

interface Scenarios {
  readonly scenarios: readonly { readonly name: string; readonly active: boolean }[]
}

t.test('a flag beats the environment beats the config file beats the default', async (t) => {
  const cwd = folder(t, { 'countersign.config.yaml': 'clock: 2001-01-01T00:00:00Z\njournal-size: 5\n' })
  const env = { COUNTERSIGN_CLOCK: '2002-01-01T00:00:00Z', COUNTERSIGN_SCENARIO: 'expired-token, verifyDocument:404' }
  const inForce = async (place: Place, ...args: string[]) => {
    const { url } = await serve(t, args, place)
    const { frozen, now } = (await fetched(`${url}/__admin/clock`)).body
    const { scenarios } = (await fetched(`${url}/__admin/scenarios`)).body as Scenarios
    return [frozen && now.slice(0, 4), ...scenarios.filter((one) => one.active).map(({ name }) => name)]
  }
  const byFlag = await inForce({ cwd, env }, '--clock=2003-01-01T00:00:00Z', '--scenario', 'empty-account')
  t.same(byFlag, ['2003', 'empty-account'], 'a flag')
  t.same(await inForce({ cwd, env }), ['2002', 'expired-token', 'verifyDocument:404'], 'the environment')
  t.same(await inForce({ cwd }), ['2001'], 'the config file')
  t.same(await inForce({}), [false], 'the default is the real time')
})

t.test('each wrong variable is named', async (t) => {
  const env = { COUNTERSIGN_PORT: 'eighty', COUNTERSIGN_CLOCK: 'soon', COUNTERSIGN_SCENARIO: ',,' }
  const { code, err } = await run(t, [], { env })
  t.equal(code, 1)
  t.match(err, /COUNTERSIGN_PORT must be a whole number from 0 to 65535, not 'eighty'/)
  t.match(err, /COUNTERSIGN_CLOCK must be 'real', or an ISO 8601 time .*, not 'soon'\.$/m)
  t.match(err, /COUNTERSIGN_SCENARIO must be a comma-separated list of names, not ',,'\.$/m)
})
