import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { CLI, folder, launch, serve as serveBinary, until } from '../binary.js'
import { run } from '../command-line.js'

const MKFIFO = '/usr/bin/mkfifo'

const skip = existsSync(MKFIFO) ? false : `there is no ${MKFIFO} here`

/** What may be where a file is due, and what is said of it. */
const kinds: readonly (readonly [what: string, make: (path: string) => void, says: string])[] = [
  ['a pipe', (path) => void execFileSync(MKFIFO, [path]), 'it is a pipe, not a file'],
  ['a link to a device', (path) => symlinkSync('/dev/zero', path), 'it is a device, not a file'],
  ['a folder', (path) => mkdirSync(path), 'it is a folder'],
  ['a link to itself', (path) => symlinkSync(path, path), 'its symbolic links form a loop'],
]

/** Where a file is due, and the command line that reads it. */
const places: Readonly<Record<string, string>> = {
  'countersign.config.yaml': 'start',
  'my.json': '--config my.json',
  'scenarios/mine.yaml': 'start',
  'my-fixtures.json': '--fixtures my-fixtures.json',
  'my-fixtures/users.json': '--fixtures my-fixtures',
  'values.yaml': 'verify --target http://127.0.0.1:1 --token x --data values.yaml',
  'report.json': 'coverage report.json',
}

/** Fixtures may be a folder; and the config file is only looked for, so that a link that leads nowhere is none. */
function isFine(what: string, path: string): boolean {
  return what === 'a folder' ? path === 'my-fixtures.json' : what === 'a link to itself' && /config/.test(path)
}

for (const [what, make, says] of kinds) {
  t.test(`${what} where a file is due is told at the start`, { skip }, async (t) => {
    for (const [path, line] of Object.entries(places)) {
      if (isFine(what, path)) continue
      const cwd = folder(t)
      mkdirSync(dirname(join(cwd, path)), { recursive: true })
      make(join(cwd, path))
      const { code, err } = await run(t, line.split(' '), { cwd, env: { COUNTERSIGN_PORT: '0' } })
      t.match({ code, err }, { code: line.startsWith('verify') ? 2 : 1, err: `${path}: ` }, 'it is named')
      t.match(err, says, `${path}: it is said what it is`)
      t.notMatch(err, /\n {4}at /, `${path}: no stack`)
    }
  })

  t.test(`${what} among scenarios hinders no other edit`, { skip }, async (t) => {
    const cwd = folder(t, { 'scenarios/good.yaml': 'rules: []\n' })
    const { url, err, child, ended } = await serveBinary(t, [], { cwd })
    const takesEffect = (name: string) => {
      writeFileSync(join(cwd, `scenarios/${name}.yaml`), 'rules: []\n')
      return until(async () => (await (await fetch(`${url}/__admin/scenarios`)).text()).includes(`"${name}"`))
    }
    make(join(cwd, 'scenarios/odd.yaml'))
    await until(() => err().includes('odd.yaml'))
    t.match(err(), says, 'it is said what it is')
    await takesEffect('second')
    rmSync(join(cwd, 'scenarios/odd.yaml'), { recursive: true })
    await takesEffect('third')
    child.kill('SIGTERM')
    t.match(await ended, { code: 0 }, 'it ends when it is asked to')
  })
}

t.test('what a program prints can be read as a file', { skip }, async (t) => {
  const validate = `"${process.execPath}" "${CLI}" validate --config`
  for (const script of [`${validate} <(echo 'strict: 3')`, `echo 'strict: 3' | ${validate} /dev/stdin`]) {
    const ended = await launch(t, '/bin/bash', ['-c', script]).ended
    t.match(ended, { code: 1, err: /'strict' must be true or false, not 3/ }, script)
  }
})

t.test('fixtures may be links to files', async (t) => {
  const cwd = folder(t, { 'data/one.json': '{"organizations": 3}', 'linked/readme.md': '' })
  symlinkSync('../data/one.json', join(cwd, 'linked/one.json'))
  const refused = { code: 1, err: /'organizations' must be a list/ }
  t.match(await run(t, ['validate', '--fixtures', 'linked'], { cwd }), refused, 'what is behind the link is read')
})
