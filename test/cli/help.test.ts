import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import t from 'tap'
import { commands } from '../../src/cli/commands.js'
import { declare } from '../../src/cli/flags.js'
import { environmentOf, flagOf, optionNames, optionTable } from '../../src/server/options.js'
import { launch, run as runBinary } from '../binary.js'
import { run } from '../command-line.js'
import { wordsOf } from '../violations/slips.js'

t.test('the overview names every command and every option of start, and where to read more', async (t) => {
  const { code, out, err } = await run(t, ['--help'])
  t.same([code, err], [0, ''], 'it ends well')
  for (const [name, { does }] of Object.entries(commands))
    t.match(out, new RegExp(`^ {2}${name} +${does.replace(/[()]/g, '.')}$`, 'm'), `${name} is there`)
  for (const name of optionNames) {
    t.match(out, new RegExp(`^ {2}--${flagOf(name)} `, 'm'), `--${flagOf(name)} is there`)
    t.match(environmentOf(name), /^COUNTERSIGN_[A-Z_]+$/, `${name} has its variable`)
  }
  t.match(out, 'help [COMMAND]', 'it says where to read more')
  for (const line of ['help', '-h', 'help help', 'help --help'])
    t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
})

/** The flags that each command has beside the options of the options table. */
const own: Readonly<Record<string, readonly string[]>> = {
  exec: ['fail-on', 'require', 'allow-idle', 'min-coverage', 'junit', 'summary', 'coverage'],
  mutate: ['count', 'minutes', 'jobs', 'only', 'min-noticed', 'fail-on', 'baseline', 'json', 'junit', 'summary'],
  coverage: ['fail-on', 'require', 'allow-idle', 'min-coverage', 'junit', 'summary', 'coverage'],
  list: ['json'],
  seed: ['out', 'credits', 'attachments', 'members', 'sub-members', 'documents', 'until'],
  openapi: ['version', 'yaml'],
  verify: ['target', 'token', 'token-without-permission', 'allow-writes', 'data', 'only', 'header', 'timeout'].concat([
    'retries',
    'wait-until-up',
    'json',
    'junit',
    'summary',
    'write-interpretations',
  ]),
}

/** The options that each command reads; the others read all. */
const read: Readonly<Record<string, readonly string[]>> = {
  coverage: ['config'],
  validate: ['config', 'fixtures', 'scenarios', 'scenario', 'clock'],
  list: ['config', 'fixtures', 'scenarios', 'scenario'],
  seed: ['fixtures', 'seed'],
  openapi: ['config', 'host', 'port'],
  verify: ['config', 'strict'],
  health: ['config', 'port', 'host', 'tlsCert'],
  init: [],
  completion: [],
  mutate: optionNames.filter(
    (name) => !['port', 'watch', 'persist', 'provider', 'providerToken', 'fallback'].includes(name),
  ),
}

for (const [name, { load }] of Object.entries(commands)) {
  t.test(`help ${name} tells its usage, flags and options, with an example`, async (t) => {
    const { code, out, err } = await run(t, ['help', name])
    t.same([code, err], [0, ''], 'it ends well')
    t.match(out, new RegExp(`^Usage: countersign ${name}.*\n\n[A-Z]`), 'it begins with its usage and what it does')
    const all = [...(own[name] ?? []), ...(read[name] ?? optionNames).map(flagOf)]
    const told = Array.from(out.matchAll(/^ {2}--([a-z-]+) .*\S/gm), ([, flag]) => flag)
    t.same(told.sort(), all.sort(), 'its flags')
    t.same(out.match(/^.{121,}$/gm), null, 'no line is wider than 120')
    const examples = /^Examples:\n((?: {2}.*\n)+)/m.exec(out)?.[1]?.trim().split('\n') ?? []
    t.ok(examples.length > 0, 'there is an example')
    const { command: described } = await load()
    for (const example of examples.filter((one) => one.trim().startsWith('countersign'))) {
      const [program, ...words] = wordsOf(example.trim().replace(/ > .*/, ''))
      t.equal(program, 'countersign', example)
      const given = words[0] === name ? words.slice(1) : words
      t.ok(given.length < words.length || name === 'start', `${example}: it is of this command`)
      const command = new Command(name).exitOverride()
      declare(command, described)
      command.parse(given, { from: 'user' })
    }
    for (const line of [`${name} --help`, `${name} -h`, `help ${name} --help`])
      t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
  })
}

t.test('each option that takes a value has a word for it', async (t) => {
  for (const name of optionNames)
    t.match(optionTable[name]['x-option']?.value, optionTable[name].type === 'boolean' ? undefined : /^[A-Z]+$/, name)
})

t.test('what has no home in the tables is told', async (t) => {
  const lists = ['operations', 'outcomes', 'scenarios', 'tokens', 'statements', 'interpretations', 'mutants']
  const told: Readonly<Record<string, readonly RegExp[]>> = {
    exec: [/COUNTERSIGN_URL/, /COUNTERSIGN_TOKEN/, /COUNTERSIGN_ADMIN_URL/, /COUNTERSIGN_ADMIN_TOKEN/],
    verify: [/COUNTERSIGN_TOKEN/, /^ {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /m],
    list: lists.map((name) => new RegExp(`^ {2}${name} `, 'm')),
  }
  for (const [name, all] of Object.entries(told)) {
    const { out } = await run(t, ['help', name])
    for (const one of all) t.match(out, one, name)
  }
})

t.test('help for what is no command is an error', async (t) => {
  for (const [line, says] of [
    ['help verfy', "There is no command 'verfy'. Did you mean 'verify'? 'countersign --help' lists all commands."],
    ['verfy --help', "There is no command 'verfy'. Did you mean 'verify'? 'countersign --help' lists all commands."],
    ['help constructor', "There is no command 'constructor'. 'countersign --help' lists all commands."],
    ['hepl', "There is no command 'hepl'. Did you mean 'help'? 'countersign --help' lists all commands."],
  ] as const)
    t.match(await run(t, line.split(' ')), { code: 2, out: '', err: `countersign: ${says}\n` }, line)
})

t.test('a shell completes commands and flags', async (t) => {
  const { code, out } = await run(t, ['completion'])
  t.equal(code, 0)
  const completed = async (...words: string[]) => {
    const script = `${out}\nCOMP_WORDS=(countersign ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_countersign; echo "\${COMPREPLY[*]}"`
    return (await launch(t, 'bash', ['-c', script]).ended).out.trim()
  }
  t.equal(await completed('he'), 'health help', 'a command')
  t.equal(await completed('exec', '--fa'), '--fail-on --fallback', 'its flags')
  t.equal(await completed('verify', '--tok'), '--token --token-without-permission')
  t.equal(await completed('init', '--po'), '', 'and no other’s')
})

t.test('words after two dashes belong to the child', async (t) => {
  const { code, out } = await runBinary(t, ['exec', '--', process.execPath, '--help'])
  t.match({ code, out }, { code: 0, out: /Usage: node/ }, 'its help is printed, and not ours')
})

t.test('the version is had in each usual way', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const word of ['--version', '-V', '-v', 'version'])
    t.match(await run(t, [word]), { code: 0, out: `${version}\n`, err: '' }, word)
  t.equal((await runBinary(t, ['--version'])).out, `${version}\n`, 'of the package')
})
