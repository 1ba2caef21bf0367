import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { addOrganizationMember } from '../../schemas/index.js'
import { readConfig } from '../../src/server/config-file.js'
import { resolveSettings } from '../../src/server/settings.js'
import { FolderWatcher } from '../../src/server/watch-folders.js'
import { folder, until } from '../binary.js'
import { send } from '../helper.js'
import { replaceFs } from '../replaced-fs.js'
import { listening } from '../wire.js'

const NO_CONFIG = await readConfig(undefined, '/')
const pause = (ms: number) => new Promise((later) => setTimeout(later, ms))

/** A watcher of a folder, when it reported changes, and a look whether it reports a change. */
function watching(
  t: Test,
  place: string,
  isRelevant = (_: string) => true,
  warn = (text: string): unknown => t.fail(text),
) {
  const reports: number[] = []
  const noteAndWatch = () => {
    reports.push(performance.now())
    watcher.watch([place])
  }
  const watcher = new FolderWatcher(noteAndWatch, isRelevant, warn)
  watcher.watch([place])
  t.teardown(() => watcher.close())
  const isReported = async (label: string, change: () => Promise<unknown>) => {
    const before = reports.length
    await change()
    await until(() => reports.length > before)
    t.pass(label)
    await pause(200)
  }
  return { reports, isReported }
}

t.test('steady writes put a report off by half a second at most', async (t) => {
  const place = folder(t)
  const { reports } = watching(t, place)
  const start = performance.now()
  for (let nth = 0; performance.now() - start < 1_500; nth++) {
    await writeFile(join(place, 'steady.yaml'), `${nth}`)
    await pause(20)
  }
  t.ok(reports.length >= 2, 'changes are reported while there are more', { reports: reports.length })
  t.ok(reports.length < 30, 'but not each of them')
})

t.test('a folder whose parent is replaced, or whose parent was away, is watched again', async (t) => {
  const place = folder(t, { 'a/scenarios/one.yaml': '' })
  const here = join(place, 'a/scenarios')
  const { isReported } = watching(t, here)
  await isReported('its parent goes', () => rename(join(place, 'a'), join(place, 'b')))
  await isReported('its parent comes back', () => rename(join(place, 'b'), join(place, 'a')))
  await isReported('a file in it is edited', () => writeFile(join(here, 'one.yaml'), 'a: 1'))
})

t.test('what is not relevant is not reported', async (t) => {
  const place = folder(t)
  const { reports, isReported } = watching(t, place, (file) => file.endsWith('.yaml'))
  await writeFile(join(place, 'a.log'), 'a line')
  await pause(300)
  t.equal(reports.length, 0, 'a log is not')
  await isReported('a YAML file is', () => writeFile(join(place, 'a.yaml'), 'a: 1'))
})

t.test('a folder may come later, go, come again, or be another one behind a link', async (t) => {
  const place = folder(t)
  const here = join(place, 'late')
  const { isReported } = watching(t, here)
  await isReported('it comes', () => mkdir(here))
  await isReported('a file is made in it', () => writeFile(join(here, 'a.yaml'), '1'))
  await isReported('it goes', () => rename(here, join(place, 'away')))
  await isReported('it comes again', () => mkdir(here))
  await isReported('a file is made in the new one', () => writeFile(join(here, 'b.yaml'), '1'))
  await isReported('it is replaced by a link', async () => {
    await rename(here, join(place, 'gone'))
    await symlink('away', here)
  })
  await isReported('a file changes behind the link', () => writeFile(join(here, 'a.yaml'), '2'))
})

t.test('a system that runs out of watchers is reported', async (t) => {
  const watch = () => {
    throw Object.assign(new Error('no watchers'), { code: 'ENOSPC' })
  }
  replaceFs(t, { watch })
  const told: string[] = []
  const place = folder(t)
  watching(t, place, undefined, (text) => told.push(text))
  const limit = 'the system limit on watched files is reached (fs.inotify.max_user_watches)'
  t.strictSame(told, [`Edits in ${place} have no effect because it cannot be watched: ${limit}.`])
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
