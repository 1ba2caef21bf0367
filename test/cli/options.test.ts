import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { isLive, type OptionName } from '../../schemas/config.js'
import { readConfig } from '../../src/server/config-file.js'
import { createServer } from '../../src/server/create-server.js'
import { InvalidOption } from '../../src/server/invalid-option.js'
import {
  decodeOption,
  environmentOf,
  flagOf,
  optionNames,
  optionTable,
  readEnvironment,
  unknownVariables,
} from '../../src/server/options.js'
import { resolveSettings } from '../../src/server/settings.js'

import { folder, type Place, until } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fetched } from '../helper.js'

t.test('booleans and numbers mean what they say, by flag and by environment', async (t) => {
  for (const name of optionNames.filter((name) => optionTable[name].type === 'boolean')) {
    for (const [text, value] of Object.entries({ true: true, 1: true, false: false, 0: false })) {
      t.equal(decodeOption(name, text, ''), value, `--${flagOf(name)}=${text} is ${value}`)
      t.same(readEnvironment({ [environmentOf(name)]: text }), { [name]: value }, `${environmentOf(name)}=${text}`)
    }
    for (const text of ['yes', 'TRUE', 'on', '2', '-1', ' true', 'truefalse'])
      t.throws(() => decodeOption(name, text, ''), InvalidOption, `--${flagOf(name)}=${text} is refused`)
  }
  for (const name of optionNames.filter((name) => optionTable[name].type === 'integer')) {
    for (const text of ['1e3', '0x10', '+1', '1.5', '1_000', '', ' 1', 'NaN', '99999999999999999999'])
      t.throws(() => decodeOption(name, text, ''), InvalidOption, `--${flagOf(name)}=${text} is refused`)
    t.equal(decodeOption(name, '1000', ''), 1_000, `--${flagOf(name)}=1000 is a number`)
  }
})

/** Other values of the options that need a restart, as a config file has them. */
const others: Partial<Record<OptionName, unknown>> = {
  port: 4_321,
  host: '127.0.0.2',
  tlsCert: 'cert.pem',
  tlsKey: 'key.pem',
  seed: 'other',
  clock: '2026-01-15T09:30:00Z',
  persist: 'state.json',
  smtp: 'smtp://127.0.0.1:1',
  bodyLimit: 10,
  journalSize: 10,
  adminToken: 'other',
  watch: false,
}

t.test('an edited option that needs a restart is reported, and changes nothing', async (t) => {
  const place = folder(t, { 'countersign.config.yaml': 'port: 0\n' })
  const read = async () => resolveSettings({}, {}, await readConfig(undefined, place), place)
  const reports: string[] = []
  const server = await createServer(await read(), { notify: (text) => reports.push(text), rereadSettings: read })
  t.teardown(() => server.close())
  await server.listen()
  const before = { ...server.worlds.shared.settings }
  const fixed = optionNames.filter((name) => !isLive(name) && name !== 'config')
  t.strictSame(Object.keys(others).sort(), [...fixed].sort(), 'every such option has another value here')
  const text = Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  await writeFile(join(place, 'countersign.config.yaml'), text.join(''))
  await until(() => reports.length >= fixed.length)
  for (const name of fixed) {
    t.ok(reports.includes(`A new value of --${flagOf(name)} needs a restart.`), `--${flagOf(name)} is reported`)
    t.equal(server.worlds.shared.settings[name], before[name], `--${flagOf(name)} is as it was`)
  }
})

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
  const cwd = folder(t, { 'countersign.config.yaml': 'clock: 2001-01-01T00:00:00Z\njournalSize: 5\n' })
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

/** Command lines that cannot be meant, and what is said of them. */
const wrongUse: readonly (readonly [args: string, says: RegExp])[] = [
  [
    '--prot 1',
    /^countersign: The flag '--prot' is unknown\. Did you mean '--port'\? 'countersign help start' lists all flags\.$/m,
  ],
  ['exec --junt=x -- true', /'--junt' is unknown\. Did you mean '--junit'\? 'countersign help exec' lists all flags\./],
  ['--admin-tokn=s3cret', /^(?!.*s3cret).*'--admin-tokn' is unknown\. Did you mean '--admin-token'\?/],
  [
    'list --interpretations x.yaml',
    /The flag '--interpretations' is unknown\. 'countersign help list' lists all flags\./,
  ],
  ['list --port 1', /The flag '--port' is unknown\. .*'countersign help list' lists all flags\./],
  ['--log-level trace', /The flag '--log-level' is unknown\. .*'countersign help start' lists all flags\./],
  ['strat', /There is no command 'strat'\. Did you mean 'start'\?/],
  ['learn --target http://127.0.0.1:1', /There is no command 'learn'\./],
  ['explain flaky-network', /There is no command 'explain'\./],
  ['docs', /There is no command 'docs'\./],
  ['start later', /Too many arguments for 'start'.*See 'countersign help start'\./],
  ['start -- --port 0', /Too many arguments for 'start'/],
  ['-- --port 0', /Too many arguments for 'start'/],
  ['validate -- extra', /Too many arguments for 'validate'/],
  ['init here', /Too many arguments for 'init'/],
  ['list -- secrets', /There is no list named 'secrets'/],
  ['list secrets', /There is no list named 'secrets'\..* Available: operations, outcomes, scenarios, tokens/],
  ['verify --target http://127.0.0.1:1 -- x', /Too many arguments for 'verify'/],
  ['coverage', /Name the files that 'countersign exec --coverage FILE' wrote/],
  ['exec npm test', /Put the command to run after --: countersign exec \[options\] -- npm test\./],
  [
    'exec --require addOrganizationMember:490 -- true',
    /--require does not take 'addOrganizationMember:490'\. Did you mean/,
  ],
  ['--scenario=', /--scenario needs a name\./],
  ['--port', /'--port <PORT>' argument missing/],
  ['--port --strict', /--port needs a value/],
  ['--port 65536', /--port must be a whole number from 0 to 65535, not '65536'/],
  ['--auth knwon', /--auth must be one of known, any, not 'knwon'\. Did you mean 'known'\?/],
  ['--strict=maybe', /--strict must be true or false, not 'maybe'/],
  ['--clock 5', /an ISO 8601 time from 1970 on, .*, not '5'/],
  ['--clock 0001-01-01T00:00:00Z', /from 1970 on, .*, not '0001-01-01T00:00:00Z'/],
  ['--clock +010000-01-01T00:00:00Z', /not '\+010000-01-01T00:00:00Z'/],
  ['--clock yesterday', /--clock must be 'real', or an ISO 8601 time.*, not 'yesterday'/],
  ['--smtp localhost', /--smtp must be a URL such as smtp:\/\/127\.0\.0\.1:1025, not 'localhost'/],
  ['--smtp smtp://x:99999', /--smtp must be a URL such as .*, not 'smtp:\/\/x:99999'/],
  ['--body-limit 0', /--body-limit must be .*, not '0'/],
  ['openapi --version 2', /'--version <VERSION>' argument '2' is invalid\. Allowed choices are 3\.1, 3\.0\./],
  ['seed --credits 5', /--out is missing\. Usage: countersign seed --out FOLDER/],
  ['seed --out x --credits many', /--credits must be a whole number from 0 to \d+, not 'many'/],
]

/** What else cannot be used: files, and names that files define. */
const unusable: typeof wrongUse = [
  ['coverage -- none.json', /none\.json: The file cannot be read/],
  ['--scenario verifyDocument:409', /There is no scenario 'verifyDocument:409'\. Did you mean 'verifyDocument:40\d'/],
  ['--config none.yaml', /none\.yaml: The file cannot be read: it does not exist/],
  ['seed --out /dev/null/x', /x: The file cannot be written: a file is where a folder should be\.$/m],
]

for (const [what, all, code] of [
  ['wrong use', wrongUse, 2],
  ['what cannot be used', unusable, 1],
] as const)
  t.test(`${what} is said in one line, with exit code ${code}`, async (t) => {
    for (const [args, says] of all) {
      const { err, ...ended } = await run(t, args.split(' '))
      const seen = { ...ended, err, lines: err.trim().split('\n').length }
      t.match(seen, { code, out: '', err: says, lines: 1 }, args)
    }
  })

t.test('a switch is turned off in either way', async (t) => {
  for (const off of ['--no-watch', '--watch=false', '--watch false', '--watch=0'])
    t.match(await run(t, ['--scenario', 'none', ...off.split(' ')]), { code: 1, err: /There is no scenario/ }, off)
})
