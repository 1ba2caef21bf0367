import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { readConfig } from '../../src/server/config-file.js'
import { resolveSettings } from '../../src/server/settings.js'
import { folder, until } from '../binary.js'
import { send } from '../helper.js'
import { listening } from '../wire.js'

const NO_CONFIG = await readConfig(undefined, '/')
const pause = (ms: number) => new Promise((later) => setTimeout(later, ms))

t.test('a folder may come later, go, come again, or be another one behind a link', async (t) => {
  const place = folder(t)
  const here = join(place, 'late')
  const scenarios = './late'
  await mkdir(here)
  const settings = resolveSettings({ scenarios, port: 0 }, {}, NO_CONFIG, place)
  const { server } = await listening(t, settings, {})
  const isThere = (name: string, when: string, there = true) =>
    until(() => (server.worlds.shared.library.find(name) !== undefined) === there).then(() => t.pass(when))
  await writeFile(join(here, 'a.yaml'), 'rules: []\n')
  await isThere('a', 'a file is made in it')
  await rename(here, join(place, 'away'))
  await isThere('a', 'it goes', false)
  await mkdir(here)
  await writeFile(join(here, 'b.yaml'), 'rules: []\n')
  await isThere('b', 'it comes again')
  await rename(here, join(place, 'gone'))
  await symlink('away', here)
  await isThere('a', 'it is replaced by a link')
  await writeFile(join(here, 'c.yaml'), 'rules: []\n')
  await isThere('c', 'a file is made behind the link')
})

t.test('steady writes put an edit off by half a second at most', async (t) => {
  const place = folder(t, { 'scenarios/steady.yaml': 'rules: []\n' })
  const done: string[] = []
  const settings = resolveSettings({ port: 0 }, {}, NO_CONFIG, place)
  await listening(t, settings, { print: (text) => done.push(text) })
  const start = performance.now()
  for (let nth = 0; performance.now() - start < 2_500; nth++) {
    await writeFile(join(place, 'scenarios/steady.yaml'), `description: number ${nth}\nrules: []\n`)
    await pause(20)
  }
  t.ok(done.length >= 2, 'edits are taken while there are more', { done })
})

t.test('a file whose name begins as the state file’s is read again', async (t) => {
  const place = folder(t, { 'scenarios/first-fails.yaml': 'rules: []\n' })
  const told: string[] = []
  const settings = resolveSettings({ persist: './first', scenarios: './scenarios', port: 0 }, {}, NO_CONFIG, place)
  await listening(t, settings, { notify: (text) => told.push(text) })
  await writeFile(join(place, 'scenarios/first-fails.yaml'), 'rules: 3\n')
  await until(() => told.length > 0)
  t.match(told.join(), /first-fails\.yaml/, 'the edit is reported')
})

t.test('a state file in a watched folder has nothing read again', async (t) => {
  const place = folder(t, { 'countersign.config.yaml': 'port: 0\npersist: state.json\n' })
  let reads = 0
  const read = async () => {
    reads++
    return resolveSettings({}, {}, await readConfig(undefined, place), place)
  }
  const { server } = await listening(t, await read(), { notify: (text) => t.fail(text), rereadSettings: read })
  for (let nth = 0; nth < 20; nth++) {
    await send(server, addOrganizationMember, { form: { 'data[0][email]': `m${nth}@example.test` } })
    await pause(20)
  }
  await pause(700)
  t.equal(reads, 1, 'the config was read at the start alone')
})
