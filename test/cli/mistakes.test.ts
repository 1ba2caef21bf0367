import t from 'tap'
import { run } from '../command-line.js'

/** What is wrong on a command line, and what is said of it. */
const mistakes: readonly (readonly [args: string, says: RegExp])[] = [
  ['start later', /'later' is not expected here\. See 'countersign help start'\./],
  ['start -- --port 0', /'--port' is not expected here\. See 'countersign help start'\./],
  ['-- --port 0', /'--port' is not expected here/],
  ['validate -- extra', /'extra' is not expected here/],
  ['list -- secrets', /There is no list named 'secrets'/],
  ['coverage -- none.json', /none\.json: The file cannot be read/],
  ['verify --target http://127.0.0.1:1 -- x', /verify takes flags only/],
  ['--scenario=', /--scenario needs a name\./],
  ['init here', /'here' is not expected here/],
  ['--port', /--port needs a value: a whole number from 0 to 65535/],
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
  ['--scenario verifyDocument:409', /There is no scenario 'verifyDocument:409'\. Did you mean 'verifyDocument:40\d'/],
  ['--config none.yaml', /none\.yaml: The file cannot be read: it does not exist/],
  ['list secrets', /There is no list named 'secrets'\..* Available: operations, outcomes, scenarios, tokens/],
  ['openapi --version 2', /--version must be one of 3\.1, 3\.0, not '2'/],
  ['seed --credits 5', /--out is missing\. Usage: countersign seed --out FOLDER/],
  ['seed --out /dev/null/x', /x: The file cannot be written: a file is where a folder should be\.$/m],
  ['seed --out x --credits many', /--credits must be a whole number from 0 to \d+, not 'many'/],
]

/** Command lines with a command or a flag that does not exist. */
const unknown: typeof mistakes = [
  [
    '--prot 1',
    /^countersign: The flag '--prot' is unknown\. Did you mean '--port'\? 'countersign help start' lists all flags\.$/m,
  ],
  ['exec --junt=x -- true', /'--junt' is unknown\. Did you mean '--junit'\? 'countersign help exec' lists all flags\./],
  [
    'list --interpretations x.yaml',
    /The flag '--interpretations' is unknown\. 'countersign help list' lists all flags\./,
  ],
  ['--log-level trace', /The flag '--log-level' is unknown\. .*'countersign help start' lists all flags\./],
  ['strat', /There is no command 'strat'\. Did you mean 'start'\?/],
  ['learn --target http://127.0.0.1:1', /There is no command 'learn'\./],
  ['explain flaky-network', /There is no command 'explain'\./],
  ['docs', /There is no command 'docs'\./],
]

t.test('an unknown command or flag is refused with the nearest, and exit code 2', async (t) => {
  for (const [args, err] of unknown) t.match(await run(t, args.split(' ')), { code: 2, out: '', err }, args)
})

t.test('what else is wrong on the command line is said in one line, with exit code 1', async (t) => {
  for (const [args, says] of mistakes) {
    const { code, out, err } = await run(t, args.split(' '))
    const seen = { code, out, err, lines: err.trim().split('\n').length }
    t.match(seen, { code: args.startsWith('verify') ? 2 : 1, out: '', err: says, lines: 1 }, args)
  }
})
