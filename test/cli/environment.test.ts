import t from 'tap'
import { commands } from '../../src/cli/commands.js'
import { environmentOf, optionNames } from '../../src/server/options.js'
import { unknownVariables } from '../../src/server/unknown-variables.js'
import { run, serve } from '../command-line.js'

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
  INTERPRETATION: 'INTERPRETATIONS',
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

t.test('what is known, empty or of others is not told', async (t) => {
  const known = [...optionNames.map(environmentOf), ...['URL', 'TOKEN', 'ADMIN_URL'].map((one) => `COUNTERSIGN_${one}`)]
  const others = { COUNTERSIGN_PROT: '', COUNTERSIGNED: 'x', PROT: 'x' }
  const environment = { ...Object.fromEntries(known.map((name) => [name, 'x'])), ...others }
  t.same(unknownVariables(environment), { mistaken: [], strange: [] })
})

t.test('each command that reads the environment stops', async (t) => {
  const env = { COUNTERSIGN_PROT: 'a-secret', COUNTERSIGN_ACTIVE: 'x' }
  const told =
    /^countersign: .*COUNTERSIGN_PROT is unknown\. Did you mean COUNTERSIGN_PORT\?\n.*COUNTERSIGN_ACTIVE\. Set/
  for (const [name, { environment, misuse = 1 }] of Object.entries(commands)) {
    const ended = await run(t, [name], { env })
    if (environment === false) t.notMatch(ended.err, 'COUNTERSIGN_PROT', `${name} does not read it`)
    else t.match(ended, { code: misuse, out: /^$/, err: told }, `${name} stops`)
    t.notMatch(ended.err, 'a-secret', `${name} does not quote it`)
  }
  const { err } = await serve(t, [], { env: { COUNTERSIGN_CI: 'a-secret' } })
  t.equal(err(), 'countersign: The environment variable COUNTERSIGN_CI is unknown and has no effect.\n', 'a warning')
  t.match(await run(t, ['help'], { env }), { code: 0, err: '' }, 'the help reads no environment')
})
