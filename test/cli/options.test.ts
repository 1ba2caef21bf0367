import t from 'tap'
import { listCreditHistories } from '../../schemas/index.js'
import { folder, type LaunchOptions } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fetchUrl, sendTo } from '../helper.js'

t.test('flags and variables accept only plain booleans and numbers', async (t) => {
  const isStrict = async (args: readonly string[], env: Record<string, string> = {}) => {
    const { url } = await serve(t, args, { env })
    return (await sendTo(url, listCreditHistories, { query: { extra: '1' } })).status === 400
  }
  for (const [text, value] of Object.entries({ true: true, 1: true, false: false, 0: false })) {
    t.equal(await isStrict([`--strict=${text}`]), value, `--strict=${text} is ${value}`)
    t.equal(await isStrict([], { COUNTERSIGN_STRICT: text }), value, `COUNTERSIGN_STRICT=${text} is ${value}`)
  }
  for (const flag of ['--no-strict', '--strict false'])
    t.equal(await isStrict(flag.split(' '), { COUNTERSIGN_STRICT: 'true' }), false, `${flag} turns it off`)
  for (const text of ['yes', 'TRUE', '2', '-1', 'truefalse']) {
    const message = { code: 2, err: '--strict must be true or false' }
    t.match(await run(t, [`--strict=${text}`]), message, `--strict=${text} is rejected`)
  }
  for (const text of ['1e3', '0x10', '+1', '1.5', '1_000', 'NaN', '99999999999999999999']) {
    const message = { code: 2, err: '--port must be a whole number' }
    t.match(await run(t, [`--port=${text}`]), message, `--port=${text} is rejected`)
  }
})

t.test('an unknown COUNTERSIGN_ variable is reported with a suggestion and without its value', async (t) => {
  const reported = async (name: string) => {
    const { code, err } = await run(t, ['list', 'operations'], { env: { [`COUNTERSIGN_${name}`]: 'a-secret' } })
    t.notMatch(err, 'a-secret', `${name}: its value is not shown`)
    return { code, err }
  }
  for (const [name, suggestion] of Object.entries({
    PROT: 'PORT',
    Port: 'PORT',
    BODYLIMIT: 'BODY_LIMIT',
    ADMIN_URI: 'ADMIN_URL',
    TOKNE: 'TOKEN',
    JOURNAL: 'JOURNAL_SIZE',
  })) {
    const err = `The environment variable COUNTERSIGN_${name} is unknown. Did you mean COUNTERSIGN_${suggestion}?`
    t.match(await reported(name), { code: 1, err }, name)
  }
  for (const name of ['TEST', 'CI', 'UI', 'VERSION', 'STAGING_TOKEN', 'TARGET', 'ENV'])
    t.match(await reported(name), { code: 0, err: `COUNTERSIGN_${name} is unknown and has no effect.` }, name)
})

interface Scenarios {
  readonly scenarios: readonly { readonly name: string; readonly active: boolean }[]
}

t.test('a flag overrides the environment, which overrides the config file, which overrides the default', async (t) => {
  const cwd = folder(t, { 'countersign.config.yaml': 'clock: 2001-01-01T00:00:00Z\njournalSize: 5\n' })
  const env = { COUNTERSIGN_CLOCK: '2002-01-01T00:00:00Z', COUNTERSIGN_SCENARIO: 'expired-token, verifyDocument:404' }
  const settingsOf = async (place: LaunchOptions, ...args: string[]) => {
    const { url } = await serve(t, args, place)
    const { frozen, now } = (await fetchUrl(`${url}/__admin/clock`)).body
    const { scenarios } = (await fetchUrl(`${url}/__admin/scenarios`)).body as Scenarios
    return [frozen && now.slice(0, 4), ...scenarios.filter((one) => one.active).map(({ name }) => name)]
  }
  const byFlag = await settingsOf({ cwd, env }, '--clock=2003-01-01T00:00:00Z', '--scenario', 'empty-account')
  t.same(byFlag, ['2003', 'empty-account'], 'a flag')
  t.same(await settingsOf({ cwd, env }), ['2002', 'expired-token', 'verifyDocument:404'], 'the environment')
  t.same(await settingsOf({ cwd }), ['2001'], 'the config file')
  t.same(await settingsOf({}), [false], 'the default is the real time')
})

const wrongUse: readonly (readonly [args: string, message: RegExp])[] = [
  [
    '--prot 1',
    /The flag '--prot' is unknown\. Did you mean '--port'\? 'npx countersign help start' lists all flags\.$/m,
  ],
  ['--admin-tokn=s3cret', /^(?!.*s3cret).*'--admin-tokn' is unknown\. Did you mean '--admin-token'\?/],
  ['list tok\u001bens', /'tok\\u001bens' is invalid/],
  ['exec --require addOrganizationMember:490 -- true', /does not take 'addOrganizationMember:490'\. Did you mean/],
  ['coverage', /^countersign: Missing required argument 'FILE'\. See 'npx countersign help coverage'\.$/m],
  ['seed', /--out is missing\. Usage: npx countersign seed --out FOLDER --credits 100000$/m],
  ['verify', /--target is missing\. Usage: npx countersign verify --target https:\/\/host\/base --token TOKEN$/m],
  ['verify --target http://127.0.0.1:9', /Pass a user's token with --token, or in COUNTERSIGN_TOKEN\.$/m],
  ['start --port', /Option '--port <PORT>' argument missing\. See 'npx countersign help start'\.$/m],
  ['list --json tokens mutants2', /value 'mutants2' is invalid for argument 'LIST'\. Allowed choices are operations, /],
  ['list --json=yes', /--json takes no value\. To turn it off, remove it\.$/m],
  ['start --no-watch=1', /The flag '--no-watch' is unknown\. Did you mean '--watch'\?/],
  ['--port --strict', /--port needs a value/],
  ['--port 70000', /--port must be .*from 0 to 65535, not '70000'\.$/m],
  ['--scenario=', /--scenario needs a value, not ''\. Is a variable empty\?$/m],
  ['--auth some', /--auth must be one of known, any, not 'some'\.$/m],
  ['--public-url ftp://x', /--public-url must be a URL .*, without user, query or fragment, not 'ftp:\/\/x'\.$/m],
  ['--clock 2026-01-15T09:30:00', /with Z or an offset, such as .*, not '2026-01-15T09:30:00'/],
  ['exec --min-coverage 5 --min-coverage 50 -- true', /--min-coverage is given twice\. Give it once\.$/m],
  ['exec --fail-on not-judged -- true', /not-judged is about other gates\. Set one of them as well\.$/m],
  ['exec --min-coverage 101 -- true', /--min-coverage must be a number from 0 to 100, not '101'\.$/m],
  ['exec --junit r --summary ./r -- true', /'\.\/r' is given twice\. Give each file once, and a separate file for/],
  ['exec node --test a.mjs', /The flag '--test' is unknown\..* Put the command to run after --: /],
  ['exec --require , -- true', /--require needs a name, not ','\.$/m],
  ['exec --fail-on everything -- true', /--fail-on does not take 'everything'\. Allowed: violations, violations:all, /],
  ['health ftp://127.0.0.1', /The URL must be a base URL .*, not 'ftp:\/\/127\.0\.0\.1'\.$/m],
]

const unusable: typeof wrongUse = [
  ['start --tls-key a.pem', /--tls-key needs --tls-cert\. Pass the files of a certificate and of its private key\.$/m],
  [
    'start --provider http://256.1.1.1',
    /--provider 'http:\/\/256\.1\.1\.1' has an invalid host\. Set it to the URL of the real service\.$/m,
  ],
  ['coverage -- none.json', /none\.json: The file cannot be read/],
  ['--scenario verifyDocument:409', /There is no scenario 'verifyDocument:409'\. Did you mean 'verifyDocument:40\d'/],
  ['seed --out /dev/null/x', /x: The file cannot be written: a part of its path is a file\.$/m],
]

for (const [label, cases, code] of [
  ['wrong use', wrongUse, 2],
  ['an unusable value', unusable, 1],
] as const)
  t.test(`${label} is reported in one line, with exit code ${code}`, async (t) => {
    for (const [args, message] of cases) {
      const { err, ...ended } = await run(t, args.split(' '))
      const seen = { ...ended, err, lines: err.trim().split('\n').length }
      t.match(seen, { code, out: '', err: message, lines: 1 }, args)
    }
  })
