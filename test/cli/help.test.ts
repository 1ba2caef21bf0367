import { readFileSync } from 'node:fs'
import t from 'tap'
import { run as runBinary } from '../binary.js'
import { run } from '../command-line.js'

const COMMANDS = 'start exec validate list init seed openapi verify mutate coverage health'.split(' ')
const OPTIONS = [
  ...'port host config fixtures scenarios scenario seed clock persist smtp auth strict body-limit journal-size'.split(
    ' ',
  ),
  ...'admin-token watch log-requests public-url provider fallback require-sandbox tls-cert tls-key'.split(' '),
]

t.test('the overview names every command and every option of start, and where to read more', async (t) => {
  const { code, out, err } = await run(t, ['--help'])
  t.same([code, err], [0, ''], 'it ends well')
  for (const name of COMMANDS) t.match(out, new RegExp(`^ {2}${name} +\\w`, 'm'), `${name} is there`)
  for (const flag of OPTIONS) t.match(out, new RegExp(`^ {2}--${flag} `, 'm'), `--${flag} is there`)
  t.match(out, 'help [COMMAND]', 'it says where to read more')
  for (const line of ['help', '-h', 'help help', 'help --help'])
    t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
})

for (const name of COMMANDS) {
  t.test(`help ${name} tells its usage, flags and options, with an example`, async (t) => {
    const { code, out, err } = await run(t, ['help', name])
    t.same([code, err], [0, ''], 'it ends well')
    t.match(out, new RegExp(`^Usage: countersign ${name}.*\n\n[A-Z]`), 'it begins with its usage and what it does')
    t.match(out, /^ {2}-h, --help /m, 'its flags are there')
    t.match(out, /^Examples:\n(?: {2}.*\n)+/m, 'there is an example')
    t.same(out.match(/^.{121,}$/gm), null, 'no line is wider than 120')
    for (const line of [`${name} --help`, `${name} -h`, `help ${name} --help`])
      t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
  })
}

t.test('help for what is no command is an error', async (t) => {
  for (const [line, says] of [
    ['help verfy', "There is no command 'verfy'. Did you mean 'verify'? 'countersign --help' lists all commands."],
    ['verfy --help', "There is no command 'verfy'. Did you mean 'verify'? 'countersign --help' lists all commands."],
    ['help constructor', "There is no command 'constructor'. 'countersign --help' lists all commands."],
    ['hepl', "There is no command 'hepl'. Did you mean 'help'? 'countersign --help' lists all commands."],
  ] as const)
    t.match(await run(t, line.split(' ')), { code: 2, out: '', err: `countersign: ${says}\n` }, line)
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
