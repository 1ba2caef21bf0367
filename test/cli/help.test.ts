import { readFileSync } from 'node:fs'
import t from 'tap'
import { run as runBinary } from '../binary.js'
import { run } from '../command-line.js'

const COMMANDS = 'start exec validate list init seed openapi verify mutate coverage health'.split(' ')

t.test('each usual flag and command for help prints the overview', async (t) => {
  const { out } = await run(t, ['--help'])
  for (const line of ['help', '-h', 'help help', 'help --help']) t.equal((await run(t, line.split(' '))).out, out, line)
})

t.test('the help of each command has its usage, flags and options, with an example', async (t) => {
  for (const name of COMMANDS) {
    const { code, out, err } = await run(t, ['help', name])
    t.same([code, err], [0, ''], `help ${name} succeeds`)
    t.match(out, new RegExp(`^Usage: npx countersign ${name}.*\n\n[A-Z]`), `${name}: usage and description`)
    t.match(out, /^ {2}-h, --help [\s\S]*^Examples:\n(?: {2}.*\n)+/m, `${name}: flags and an example`)
    t.same(out.match(/^.{121,}$/gm), null, `${name}: no line is wider than 120`)
    for (const line of [`${name} --help`, `${name} -h`, `help ${name} --help`])
      t.equal((await run(t, line.split(' '))).out, out, `${line} prints the same`)
  }
})

t.test('exec passes arguments after -- to the child', async (t) => {
  const { code, out } = await runBinary(t, ['exec', '--allow-idle', '--', process.execPath, '--help'])
  t.match({ code, out }, { code: 0, out: /Usage: node/ }, 'the child prints its own help')
})

t.test('--version, -V, -v and version print the version', async (t) => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  for (const word of ['--version', '-V', '-v', 'version'])
    t.match(await run(t, [word]), { code: 0, out: `${version}\n`, err: '' }, word)
})
