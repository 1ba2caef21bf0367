import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startMockServer } from '../../src/index.js'
import { nameFrom } from '../../src/server/complaints.js'
import { folder, until } from '../binary.js'
import { run, serve } from '../command-line.js'

/** A project, in whose folder `app` commands are run, and in which every file is wrong. */
const FILES = {
  'app/fx.json': '{ "users": 1 }',
  'app/data/users.json': '[',
  'app/base.json': '{ "users": 1 }',
  'app/sub/over.json': '{ "extends": "../base.json" }',
  'app/bad.yaml': 'prot: 1',
  'app/conf/data.yaml': 'fixtures: ./data',
  'app/conf/data/users.json': '[',
  'app/conf/scenarios.yaml': 'scenarios: ../mine',
  'app/conf/gone.yaml': 'active: [gone]',
  'app/conf/absolute.yaml': 'fixtures: ROOT/x/fx.json',
  'app/mine/it.yaml': 'rules: [{ on: x }]',
  'app/file': '',
  'app/state.json': '{ "users": 1 }',
  'x/fx.json': '{ "users": 1 }',
  'x/over.json': '{ "extends": "./fx.json" }',
  'x/conf.yaml': 'fixtures: ./fx.json',
}

const VERIFY = 'verify --target http://127.0.0.1:9 --token x'

/** Command lines, and how the complaint begins; ROOT is the project's folder. */
const complaints: readonly (readonly [line: string, begins: string])[] = [
  ['--fixtures fx.json', 'fx.json:1:12: '],
  ['--fixtures ./fx.json', 'fx.json:1:12: '],
  ['--fixtures ../x/fx.json', '../x/fx.json:1:12: '],
  ['--fixtures ROOT/app/fx.json', 'fx.json:1:12: '],
  ['--fixtures none.json', 'none.json: '],
  ['--fixtures ../none', '../none: '],
  ['--fixtures data', 'data/users.json:1:2: '],
  ['--fixtures ./data/', 'data/users.json:1:2: '],
  ['--fixtures ROOT/app/data', 'data/users.json:1:2: '],
  ['--fixtures sub/over.json', 'base.json:1:12: '],
  ['--fixtures ../x/over.json', '../x/fx.json:1:12: '],
  ['--config bad.yaml', 'bad.yaml:1:1: '],
  ['--config ../app/bad.yaml', 'bad.yaml:1:1: '],
  ['--config ROOT/app/bad.yaml', 'bad.yaml:1:1: '],
  ['--config conf/data.yaml', 'conf/data/users.json:1:2: '],
  ['--config ROOT/app/conf/data.yaml', 'conf/data/users.json:1:2: '],
  ['--config ../x/conf.yaml', '../x/fx.json:1:12: '],
  ['--config conf/absolute.yaml', '../x/fx.json:1:12: '],
  ['--config ./conf/scenarios.yaml', 'mine/it.yaml:1:15: '],
  ['--config ./conf/gone.yaml', 'conf/gone.yaml:1:10: '],
  ['--scenarios mine', 'mine/it.yaml:1:15: '],
  ['--scenarios ./mine', 'mine/it.yaml:1:15: '],
  ['--scenarios ../none', '../none: '],
  ['--persist ./state.json', 'state.json: '],
  ['--persist file/state.json', 'file/state.json: '],
  ['validate --fixtures ../x/fx.json', '../x/fx.json:1:12: '],
  ['list --config ../none.yaml', '../none.yaml: '],
  ['coverage ./fx.json', 'fx.json:1:'],
  ['coverage ../none.json', '../none.json: '],
  ['seed --out new --fixtures ../x/fx.json', '../x/fx.json:1:12: '],
  ['seed --out ./file/new', 'file/new: '],
  ['exec --junit ./file/x.xml -- true', 'file/x.xml: '],
  [`${VERIFY} --data ./bad.yaml`, 'bad.yaml:1:1: '],
  [`${VERIFY} --json ../app/file/x.json`, 'file/x.json: '],
]

t.test('a complaint names a file from the working directory', async (t) => {
  const root = folder(t, FILES)
  const cwd = join(root, 'app')
  const inRoot = (text: string) => text.replaceAll('ROOT', root)
  writeFileSync(join(cwd, 'conf/absolute.yaml'), inRoot(FILES['app/conf/absolute.yaml']))
  for (const [line, begins] of complaints) {
    const args = line.startsWith('--') ? `${line} --port 0` : line
    const { code, err } = await run(t, inRoot(args).split(' '), { cwd })
    const lines = err.split('\n').map((one) => one.replace(/^countersign: /, ''))
    const isTold = lines.some((one) => one.startsWith(inRoot(begins)))
    t.ok(isTold && code !== 0, `${line}: ${begins}`, { code, err })
  }
})

t.test('a mistake in an edit names the file alike', async (t) => {
  const cwd = folder(t, { 'conf/a.yaml': 'scenarios: ./mine\n', 'conf/mine/it.yaml': 'rules: []\n' })
  const { err } = await serve(t, ['--config', './conf/a.yaml'], { cwd })
  writeFileSync(join(cwd, 'conf/mine/it.yaml'), 'rules: 1\n')
  await until(() => err().includes("'rules' must be"))
  t.match(err(), /^conf\/mine\/it\.yaml:1:8: /m, 'a scenario')
  writeFileSync(join(cwd, 'conf/a.yaml'), 'prot: 1\n')
  await until(() => err().includes("'prot' is unknown"))
  t.match(err(), /^conf\/a\.yaml:1:1: /m, 'the config file')
})

t.test('in process as well', async (t) => {
  const data = join(folder(t, FILES), 'app/data')
  for (const [options, file] of [
    [{ fixtures: './no-such-fixtures' }, 'no-such-fixtures'],
    [{ fixtures: data }, join(data, 'users.json')],
    [{ scenarios: '../no-such-folder' }, '../no-such-folder'],
    [{ persist: 'package.json/state.json' }, 'package.json/state.json'],
  ] as const)
    await t.rejects(startMockServer({ port: 0, ...options }), { name: 'InvalidFiles', complaints: [{ file }] }, file)
})

t.test('a file is named from the working directory, or in full where that is shorter', async (t) => {
  for (const [path, name] of [
    ['/project/b.json', 'b.json'],
    ['/project/c/d/e.json', 'c/d/e.json'],
    ['/x/a.json', '/x/a.json'],
    ['--scenario', '--scenario'],
  ] as const)
    t.equal(nameFrom('/project', path), name)
})
