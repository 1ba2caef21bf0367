import t from 'tap'
import { run } from '../command-line.js'

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
