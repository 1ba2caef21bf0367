import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readFixtures } from '../../src/world/state/fixtures.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'
import { writeTo } from './faulty-disk.js'
import { idsOf, openState, organization, read, stored, storeIn, written } from './stored.js'

t.test('what was stored is read, however often the file was opened in between', async (t) => {
  const { path } = await stored(t, [1, 2])
  t.strictSame(await read(path), [1, 2], 'two writes are read')
  await storeIn(path, [3])
  t.strictSame(await read(path), [1, 2, 3], 'and the one after them')
})

t.test('the file is fixtures that a person can read', async (t) => {
  const { path, text } = await stored(t, [70])
  t.equal(text, `${JSON.stringify(JSON.parse(text), null, 2)}\n`.trimEnd(), 'indented')
  t.match(await written(path), { version: 1, organizations: [organization(70)], counters: { organization: 1 } })
  t.equal((await written(path)).users?.length, 0, 'every collection is there, with no schema that is not installed')
  t.match((await readFixtures(path)).organizations?.at(-1), organization(70), 'they are read as fixtures')
  const schema = 'node_modules/countersign/dist/schemas/fixtures.schema.json'
  const project = join(folder(t, { [schema]: '{}' }), 'state.json')
  await storeIn(project, [1])
  t.equal((await written(project)).$schema, `./${schema}`, 'a schema that is installed is named')
})

t.test('the file has every record, those of the fixtures included', async (t) => {
  const path = join(folder(t, { 'mine.json': JSON.stringify({ organizations: [organization(7)] }) }), 'state.json')
  const fixtures = await readFixtures(join(path, '../mine.json'))
  await storeIn(path, [70], { fixtures, files: [] })
  t.strictSame(
    (await readFixtures(path)).organizations?.map(({ id }) => id),
    [7, 70],
    'so it can be served as it is',
  )
  await storeIn(path, [71])
  t.strictSame(await read(path), [7, 70, 71], 'with other fixtures, it is what it was')
})

t.test('a file that is cut off is refused and left alone', async (t) => {
  const { path, text } = await stored(t, [1, 2, 3])
  const wrong: number[] = []
  for (let length = 1; length < text.length; length++) {
    await writeFile(path, text.slice(0, length))
    const found = await read(path)
    const isRefused = /state\.json:\d+:\d+: [\s\S]*The state cannot be used/.test(String(found))
    if (!isRefused || (await readFile(path, 'utf8')) !== text.slice(0, length)) wrong.push(length)
  }
  t.strictSame(wrong, [], 'at every length')
})

t.test('what is no state is refused with its place, and left alone', async (t) => {
  const cases = [
    ['{"kind":"countersign state","version":1}\n{"records":{}}\n', /state\.json:2:1: /],
    ['hello', /state\.json:1:1: /],
    ['[]', /must be an object/],
    ['null', /must be an object/],
    ['{ "version": 1, "usres": [] }', /state\.json:1:17: .*Did you mean 'users'/],
    ['{ "version": 2 }', /state\.json:1:14: /],
    ['{ "users": [{ "uuid": 1 }] }', /state\.json:1:\d+: 'users\.0/],
    ['{ "counters": { "mail": -1 } }', /state\.json:1:25: /],
    [JSON.stringify({ organizations: [organization(1), organization(1)] }), /another record with the id 1:/],
  ] as const
  const path = join(folder(t), 'state.json')
  for (const [text, message] of cases) {
    await writeFile(path, text)
    const helps = /left as it is\. Repair it, move it away, or name another one with --persist/
    const found = await read(path)
    for (const one of [message, helps]) t.match(found, one, text)
    t.equal(await readFile(path, 'utf8'), text, 'the file is left alone')
  }
  t.strictSame(await readdir(join(path, '..')), ['state.json'], 'and no lock')
})

t.test('mode and link target of the file stay as they are', async (t) => {
  const place = folder(t)
  const [target, path] = [join(place, 'target.json'), join(place, 'link.json')]
  await storeIn(target, [1, 2])
  await symlink('target.json', path)
  t.equal((await stat(target)).mode & 0o777, 0o600, 'a new file is for its owner alone')
  await chmod(target, 0o640)
  t.strictSame(await read(path), [1, 2], 'it is read through the link')
  await storeIn(path, [3])
  t.equal((await stat(target)).mode & 0o777, 0o640, 'a mode that was set stays when the file is written')
  await rm(path)
  t.strictSame(await read(target), [1, 2, 3], 'the link was not replaced by a file')
})

t.test('a second holder is refused under whatever name', async (t) => {
  const place = folder(t)
  const path = join(place, 'state.json')
  const { store, close } = await openState(path)
  await store(1)
  await symlink(path, join(place, 'link.json'))
  await symlink('link.json', join(place, 'chain.json'))
  await mkdir(join(place, 'sub'))
  await symlink(place, join(place, 'sub', 'folder'))
  for (const name of ['state.json', 'link.json', 'chain.json', 'sub/folder/state.json', 'sub/../state.json']) {
    await t.rejects(StateFile.open(join(place, name)), { message: /in use by another server/ }, name)
  }
  await close()
  t.notOk((await readdir(place)).includes('state.json.lock'), 'nothing stays behind')
  t.strictSame(await read(join(place, 'chain.json')), [1], 'and let in once the first has gone')
})

t.test('a file that is opened and closed is not written', async (t) => {
  const { path } = await stored(t, [1, 2])
  writeTo(t, { beforeWrite: () => t.fail('it is written') })
  const { state, close } = await openState(path)
  await state.save()
  await close()
  t.strictSame(await read(path), [1, 2], 'it is as it was')
})

t.test('what is changed during a write shares the next one', async (t) => {
  let writes = 0
  const path = join(folder(t), 'state.json')
  writeTo(t, { beforeWrite: () => void writes++ })
  const { store, close } = await openState(path)
  await Promise.all([store(1), store(2)])
  await Promise.all(Array.from({ length: 20 }, (_, nth) => store(10 + nth)))
  await close()
  t.ok(writes <= 4, 'twenty changes take two writes', { writes })
  t.equal((await read(path)).length, 22, 'all of them are there')
})

t.test('a disk that is full is told, with what helps, and nothing stored is lost', async (t) => {
  const path = join(folder(t), 'state.json')
  let isFull = false
  const beforeWrite = () => {
    if (isFull) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
  }
  writeTo(t, { beforeWrite })
  const { state, store, close } = await openState(path)
  await store(1)
  isFull = true
  const message = /stored in .*state\.json: there is no space left\. It has been undone; make .* with room for the file/
  await t.rejects(store(2), { name: 'StorageFailure', message }, 'it says what helps')
  t.strictSame(idsOf(state), [1], 'it is undone')
  isFull = false
  await store(3)
  await close()
  t.strictSame(await read(path), [1, 3], 'what was stored is there')
})
