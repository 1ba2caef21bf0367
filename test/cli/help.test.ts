import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { readCommandLine } from '../../src/cli/command-line.js'
import { commands } from '../../src/cli/commands.js'
import { optionFlag } from '../../src/cli/flags/option-flag.js'
import { LISTS } from '../../src/cli/manuals/list.js'
import { DATA_SECTION } from '../../src/cli/manuals/provider-data.js'
import { readDataFile } from '../../src/provider/data-file.js'
import { environmentOf, flagOf, optionNames, optionTable } from '../../src/server/options.js'
import { folder, run as runBinary } from '../binary.js'
import { run } from '../command-line.js'
import { wordsOf } from '../violations/slips.js'

t.test('the overview names every command and every option of start, and where to read more', async (t) => {
  const { code, out, err } = await run(t, ['--help'])
  t.same([code, err], [0, ''], 'it ends well')
  for (const [name, { usage, does }] of Object.entries(commands))
    t.ok(out.includes(usage) && out.includes(does), `${name} is there`)
  for (const name of optionNames) {
    t.match(out, new RegExp(`^ {2}--${flagOf(name)} `, 'm'), `--${flagOf(name)} is there`)
    t.match(environmentOf(name), /^COUNTERSIGN_[A-Z_]+$/, `${name} has its variable`)
  }
  t.match(out, 'countersign help COMMAND', 'it says where to read more')
  for (const line of ['help', '-h', 'help help', 'help --help', '--port 1 --help'])
    t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
})

for (const [name, { usage, does, manual }] of Object.entries(commands)) {
  t.test(`help ${name} tells its usage, flags and options, with an example`, async (t) => {
    const { code, out, err } = await run(t, ['help', name])
    const { flags, options, examples } = await manual()
    t.same([code, err], [0, ''], 'it ends well')
    t.match(out, `countersign ${name}: ${does}\n\nUsage: countersign `, 'it begins with what it does')
    t.ok(usage.startsWith(name), 'the overview begins with its name')
    for (const [flag, { value, does }] of Object.entries(flags)) {
      t.match(
        out,
        new RegExp(`^ {2}--${flag}${value === undefined ? '' : ' \\S.*'} {2,}\\S`, 'm'),
        `--${flag} is there`,
      )
      t.match(does, /^[A-Z].*\S$/, `--${flag} is described`)
    }
    for (const option of optionNames)
      t.equal(new RegExp(`^ {2}--${flagOf(option)} `, 'm').test(out), option in options, `--${flagOf(option)}`)
    t.same(out.match(/^.{121,}$/gm), null, 'no line is wider than 120')
    t.ok(examples.length > 0, 'there is an example')
    for (const example of examples) {
      t.match(out, `  ${example}`, 'the example is there')
      const [program, ...words] = wordsOf(example)
      t.equal(program, 'countersign', example)
      const own = words[0] === name ? words.slice(1) : words
      t.ok(own.length < words.length || name === 'start', `${example}: it is of this command`)
      const used = Object.keys(readCommandLine(name, own, flags).options)
      for (const option of used) t.ok(option in options, `${example}: its option ${option} is read`)
    }
    for (const line of [`${name} --help`, `${name} -h`, `help ${name} --help`, `${name} --port --help`])
      t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
  })
}

t.test('start and exec tell all options', async (t) => {
  for (const name of ['start', 'exec'])
    t.same(Object.keys((await commands[name]!.manual()).options).sort(), [...optionNames].sort(), name)
})

t.test('each option that takes a value has a word for it', async (t) => {
  for (const name of optionNames)
    t.match(optionFlag(name).value, optionTable[name].type === 'boolean' ? undefined : /^[A-Z]+$/, `--${flagOf(name)}`)
})

t.test('what has no home in the tables is told', async (t) => {
  const told: Readonly<Record<string, readonly RegExp[]>> = {
    exec: [/COUNTERSIGN_URL/, /COUNTERSIGN_TOKEN/, /COUNTERSIGN_ADMIN_URL/, /COUNTERSIGN_ADMIN_TOKEN/],
    verify: [/COUNTERSIGN_TOKEN/, /^ {2}0 .*\n {2}1 .*\n {2}2 .*\n {2}3 /m, /^ {2}verifyDocument: \{ form/m],
    list: Object.keys(LISTS).map((name) => new RegExp(`^ {2}${name} `, 'm')),
  }
  for (const [name, all] of Object.entries(told)) {
    const { out } = await run(t, ['help', name])
    for (const one of all) t.match(out, one, name)
  }
})

t.test('the example of --data is a file that can be used', async (t) => {
  const cwd = folder(t, { 'data.yaml': DATA_SECTION.yaml as string, 'known.pdf': '%PDF-1.4' })
  const data = await readDataFile(join(cwd, 'data.yaml'), contracts)
  t.match(data.verifyDocument, { form: { code: 'DOC-1', file: join(cwd, 'known.pdf') } })
})

t.test('help for what is no command is an error', async (t) => {
  for (const [line, says] of [
    ['help verfy', "There is no command 'verfy'. Did you mean 'verify'? 'countersign --help' lists all commands."],
    ['verfy --help', "There is no command 'verfy'. Did you mean 'verify'? 'countersign --help' lists all commands."],
    ['help constructor', "There is no command 'constructor'. 'countersign --help' lists all commands."],
    ['hepl', "There is no command 'hepl'. Did you mean 'help'? 'countersign --help' lists all commands."],
  ] as const)
    t.match(await run(t, line.split(' ')), { code: 2, out: '', err: `countersign: ${says}\n` }, line)
  for (const [line, says] of [
    ['help list verify', "'verify' is not expected here. See 'countersign help help'."],
    ['version now', "'now' is not expected here. See 'countersign help version'."],
  ] as const)
    t.match(await run(t, line.split(' ')), { code: 1, out: '', err: `countersign: ${says}\n` }, line)
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
