import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

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
  ['--fixtures ./fx.json', './fx.json:1:12: '],
  ['--fixtures ../x/fx.json', '../x/fx.json:1:12: '],
  ['--fixtures ROOT/app/fx.json', 'ROOT/app/fx.json:1:12: '],
  ['--fixtures none.json', 'none.json: '],
  ['--fixtures ../none', '../none: '],
  ['--fixtures data', 'data/users.json:1:2: '],
  ['--fixtures ./data/', './data/users.json:1:2: '],
  ['--fixtures ROOT/app/data', 'ROOT/app/data/users.json:1:2: '],
  ['--fixtures sub/over.json', 'base.json:1:12: '],
  ['--fixtures ../x/over.json', '../x/fx.json:1:12: '],
  ['--config bad.yaml', 'bad.yaml:1:1: '],
  ['--config ../app/bad.yaml', '../app/bad.yaml:1:1: '],
  ['--config ROOT/app/bad.yaml', 'ROOT/app/bad.yaml:1:1: '],
  ['--config conf/data.yaml', 'conf/data/users.json:1:2: '],
  ['--config ROOT/app/conf/data.yaml', 'ROOT/app/conf/data/users.json:1:2: '],
  ['--config ../x/conf.yaml', '../x/fx.json:1:12: '],
  ['--config conf/absolute.yaml', 'ROOT/x/fx.json:1:12: '],
  ['--config ./conf/scenarios.yaml', 'mine/it.yaml:1:15: '],
  ['--config ./conf/gone.yaml', './conf/gone.yaml:1:10: '],
  ['--scenarios mine', 'mine/it.yaml:1:15: '],
  ['--scenarios ./mine', './mine/it.yaml:1:15: '],
  ['--scenarios ../none', '../none: '],
  ['--persist ./state.json', './state.json: '],
  ['--persist file/state.json', 'file/state.json: '],
  ['validate --fixtures ../x/fx.json', '../x/fx.json:1:12: '],
  ['list --config ../none.yaml', '../none.yaml: '],
  ['coverage ./fx.json', './fx.json:1:'],
  ['coverage ../none.json', '../none.json: '],
  ['seed --out new --fixtures ../x/fx.json', '../x/fx.json:1:12: '],
  ['seed --out ./file/new', './file/new: '],
  ['exec --junit ./file/x.xml -- true', './file/x.xml: '],
  [`${VERIFY} --data ./bad.yaml`, './bad.yaml:1:1: '],
  [`${VERIFY} --json ../app/file/x.json`, '../app/file/x.json: '],
]

t.test('a complaint names a file as the user wrote it', async (t) => {
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
