import { readFileSync } from 'node:fs'
import t from 'tap'
import { Options } from '../../schemas/config.js'
import { commands } from '../../src/cli/commands.js'
import { environmentOf, flagOf } from '../../src/server/options.js'
import { run as runBinary } from '../binary.js'
import { run } from '../command-line.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

t.test('--help names every command, flag and variable; --version the version', async (t) => {
  const { code, out } = await run(t, ['start', '--help'])
  t.equal(code, 0, 'it ends well')
  for (const [name, { usage, does }] of Object.entries(commands))
    t.ok(out.includes(usage) && out.includes(does), `the command ${name} is there`)
  for (const name of Object.keys(Options.properties)) {
    t.match(out, new RegExp(`^ {2}--${flagOf(name)} `, 'm'), `--${flagOf(name)} is there`)
    t.match(environmentOf(name), /^COUNTERSIGN_[A-Z_]+$/, `${name} has its variable`)
  }
  t.equal(
    (await runBinary(t, ['--version'])).out.trim(),
    JSON.parse(read('../../package.json')).version,
    '--version prints the package’s version',
  )
})
