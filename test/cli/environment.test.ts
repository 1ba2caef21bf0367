import t from 'tap'
import { commands } from '../../src/cli/commands.js'
import { environmentOf, optionNames } from '../../src/server/options.js'
import { unknownVariables } from '../../src/server/unknown-variables.js'
import { run, serve } from '../command-line.js'

/** Variables that nobody reads, and what they were meant for. */
const misspelt: Readonly<Record<string, string>> = {
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

t.test('a misspelt variable is told with the right name, and its value is not', async (t) => {
  for (const [name, right] of Object.entries(misspelt)) {
    const { mistaken, strange } = unknownVariables({ [`COUNTERSIGN_${name}`]: 'a-secret' })
    const said = `The environment variable COUNTERSIGN_${name} is unknown. Did you mean COUNTERSIGN_${right}?`
    t.same(mistaken, [said], name)
    t.same(strange, [], `${name}: nothing else`)
  }
})

t.test('what only the config file can say is told as such', async (t) => {
  const { mistaken } = unknownVariables({ COUNTERSIGN_ACTIVE: 'x', COUNTERSIGN_INVITATION: 'x' })
  t.same(mistaken, [
    "There is no environment variable COUNTERSIGN_ACTIVE. Set 'active' in the config file, or use COUNTERSIGN_SCENARIO.",
    "There is no environment variable COUNTERSIGN_INVITATION. Set 'invitations' in the config file.",
  ])
})

t.test('a variable that is near nothing is told, and does no harm', async (t) => {
  for (const name of ['TEST', 'CI', 'UI', 'VERSION', 'STAGING_TOKEN', 'TARGET', 'ENV'])
    t.same(
      unknownVariables({ [`COUNTERSIGN_${name}`]: 'a-secret' }),
      { mistaken: [], strange: [`The environment variable COUNTERSIGN_${name} is unknown and has no effect.`] },
      name,
    )
})

t.test('what is known, empty or of others is not told', async (t) => {
  const known = [...optionNames.map(environmentOf), ...['URL', 'TOKEN', 'ADMIN_URL'].map((one) => `COUNTERSIGN_${one}`)]
  const environment = Object.fromEntries(known.map((name) => [name, 'x']))
  t.same(unknownVariables({ ...environment, COUNTERSIGN_PROT: '', COUNTERSIGNED: 'x', PROT: 'x' }), {
    mistaken: [],
    strange: [],
  })
})

t.test('each command that reads the environment stops', async (t) => {
  const env = { COUNTERSIGN_PROT: 'a-secret', COUNTERSIGN_ACTIVE: 'x' }
  for (const [name, { environment, misuse = 1 }] of Object.entries(commands)) {
    const { code, out, err } = await run(t, [name], { env })
    if (environment === false) t.notMatch(err, 'COUNTERSIGN_PROT', `${name} does not read it`)
    else
      t.match(
        { code, out, err },
        {
          code: misuse,
          out: '',
          err: /^countersign: .*COUNTERSIGN_PROT is unknown\. Did you mean COUNTERSIGN_PORT\?\n.*COUNTERSIGN_ACTIVE\. Set/,
        },
        `${name} stops`,
      )
    t.notMatch(err, 'a-secret', `${name} does not quote it`)
  }
  const { err, url } = await serve(t, [], { env: { COUNTERSIGN_CI: 'a-secret' } })
  t.equal(err(), 'countersign: The environment variable COUNTERSIGN_CI is unknown and has no effect.\n', 'a warning')
  t.ok(url, 'the server starts all the same')
  t.match(await run(t, ['help'], { env }), { code: 0, err: '' }, 'the help reads no environment')
})
