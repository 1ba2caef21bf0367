import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { folder, launch, serve as serveBinary, until } from '../binary.js'
import { run } from '../command-line.js'

const MKFIFO = '/usr/bin/mkfifo'

const skip = existsSync(MKFIFO) ? false : `there is no ${MKFIFO} here`

/** What may be where a file is due, and what is said of it. */
const kinds: Readonly<Record<string, { make: (path: string) => void; says: string }>> = {
  'a pipe': { make: (path) => void execFileSync(MKFIFO, [path]), says: 'it is a pipe, not a file' },
  'a link to a device': { make: (path) => symlinkSync('/dev/zero', path), says: 'it is a device, not a file' },
  'a folder': { make: (path) => mkdirSync(path), says: 'it is a folder' },
  'a link to itself': { make: (path) => symlinkSync(path, path), says: 'its symbolic links form a loop' },
}

/** Where a file is due, and the command line that reads it. */
const places: readonly (readonly [path: string, args: readonly string[]])[] = [
  ['countersign.config.yaml', []],
  ['my.json', ['--config', 'my.json']],
  ['scenarios/mine.yaml', []],
  ['my-fixtures.json', ['--fixtures', 'my-fixtures.json']],
  ['my-fixtures/users.json', ['--fixtures', 'my-fixtures']],
  ['values.yaml', ['verify', '--target', 'http://127.0.0.1:1', '--token', 'x', '--data', 'values.yaml']],
  ['report.json', ['coverage', 'report.json']],
]

/** Fixtures may be a folder; and the config file is only looked for, so that a link that leads nowhere is none. */
function isFine(what: string, path: string): boolean {
  return what === 'a folder' ? path === 'my-fixtures.json' : what === 'a link to itself' && /config/.test(path)
}

for (const [what, { make, says }] of Object.entries(kinds)) {
  t.test(`${what} where a file is due is told at the start`, { skip }, async (t) => {
    for (const [path, args] of places) {
      if (isFine(what, path)) continue
      const cwd = folder(t)
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      make(join(cwd, path))
      const { code, err } = await run(t, args, { cwd, env: { COUNTERSIGN_PORT: '0' } })
      t.equal(code, args[0] === 'verify' ? 2 : 1, `${path}: nothing is started`)
      t.match(err, `${path}: `, `${path}: it is named`)
      t.match(err, says, `${path}: it is said what it is`)
      t.notMatch(err, /\n {4}at /, `${path}: no stack`)
    }
  })

  t.test(`${what} among scenarios hinders no other edit`, { skip }, async (t) => {
    const cwd = folder(t, { 'scenarios/good.yaml': 'rules: []\n' })
    const { url, err, child, ended } = await serveBinary(t, [], { cwd })
    const scenarios = async () => (await fetch(`${url}/__admin/scenarios`)).text()
    make(join(cwd, 'scenarios/odd.yaml'))
    await until(() => err().includes('odd.yaml'))
    t.match(err(), says, 'it is said what it is')
    writeFileSync(join(cwd, 'scenarios/second.yaml'), 'rules: []\n')
    await until(async () => (await scenarios()).includes('"second"'))
    t.pass('a scenario that is added is there')
    rmSync(join(cwd, 'scenarios/odd.yaml'), { recursive: true })
    writeFileSync(join(cwd, 'scenarios/third.yaml'), 'rules: []\n')
    await until(async () => (await scenarios()).includes('"third"'))
    t.pass('and so it is when the odd one is gone')
    child.kill('SIGTERM')
    t.match(await ended, { code: 0 }, 'it ends when it is asked to')
  })
}

t.test('what a program prints can be read as a file', { skip }, async (t) => {
  const shell = (script: string) => launch(t, '/bin/bash', ['-c', script], { cwd: folder(t) }).ended
  const CLI = new URL('../../dist/cli.js', import.meta.url).pathname
  t.match(
    await shell(`"${process.execPath}" "${CLI}" validate --config <(echo 'strict: 3')`),
    { code: 1, err: /'strict' must be true or false, not 3/ },
    'from the shell',
  )
  t.match(
    await shell(`echo 'strict: 3' | "${process.execPath}" "${CLI}" validate --config /dev/stdin`),
    { code: 1, err: /'strict' must be true or false, not 3/ },
    'from a pipe',
  )
})

t.test('fixtures may be links to files', async (t) => {
  const cwd = folder(t, { 'data/one.json': '{"organizations": 3}', 'linked/readme.md': '' })
  symlinkSync('../data/one.json', join(cwd, 'linked/one.json'))
  const { code, err } = await run(t, ['validate', '--fixtures', 'linked'], { cwd })
  t.match({ code, err }, { code: 1, err: /'organizations' must be a list/ }, 'what is behind the link is read')
})
