import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { defaultFixtures } from '../../src/package-root.js'
import { readFixtures } from '../../src/world/state/fixtures.js'
import { SeededCollections } from '../../src/world/state/seeded-collections.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'
import { writeTo } from './faulty-disk.js'
import { openState, organization, read, stored, written } from './stored.js'

t.test('what was stored is read, however often the file was opened in between', async (t) => {
  const { path } = await stored(t, [1, 2])
  t.strictSame(await read(path), [1, 2], 'two writes are read')
  const second = await openState(path)
  await second.store(3)
  second.close()
  t.strictSame(await read(path), [1, 2, 3], 'and the one after them')
  const third = await openState(path)
  t.equal(third.state.next('organization'), 4, 'counters go on')
  third.close()
})

t.test('the file is fixtures that a person can read', async (t) => {
  const { path, text } = await stored(t, [70])
  t.equal(
    text,
    `{
  "version": 1,
  "extends": "default",
  "organizations": [
    {
      "id": 70,
      "uuid": "0d5b8f3e-7a61-4c29-9e84-000000000070",
      "name": "One"
    }
  ],
  "counters": {
    "organization": 1
  }
}`,
    'indented, and only what has changed',
  )
  const fixtures = await readFixtures(path)
  t.same(fixtures.organizations?.find(({ id }) => id === 70)?.name, 'One', 'they are read as fixtures')
  t.same(fixtures.counters, { organization: 1 }, 'with the counters')
  const { $schema } = JSON.parse(text)
  t.equal($schema, undefined, 'no schema is named where none is installed')
  const project = folder(t, { 'node_modules/countersign/dist/schemas/fixtures.schema.json': '{}' })
  const installed = await openState(join(project, 'state.json'))
  await installed.store(1)
  installed.close()
  const schema = './node_modules/countersign/dist/schemas/fixtures.schema.json'
  t.equal((await written(join(project, 'state.json'))).$schema, schema, 'else it is')
})

t.test('the file names the fixtures that it lies over, seen from where it is', async (t) => {
  const place = folder(t, { 'worlds/mine.json': '{ "extends": "default" }', 'states/.keep': '' })
  const path = join(place, 'states/state.json')
  const mine = new SeededCollections(await readFixtures(join(place, 'worlds/mine.json')), {
    name: join(place, 'worlds/mine.json'),
  })
  const first = await openState(path, mine)
  await first.store(70)
  first.close()
  t.equal((await written(path)).extends, '../worlds/mine.json', 'by a relative path')
  const names = (await readFixtures(path)).organizations?.map(({ id }) => id)
  t.ok(names?.includes(70) && names.includes(1), 'so that it can be served as it is')
  const second = await openState(path, new SeededCollections(await readFixtures(defaultFixtures)))
  await second.store(71)
  second.close()
  const whole = await written(path)
  t.equal(whole.extends, undefined, 'over fixtures without a name it has everything')
  const found = [1, 70, 71].filter((id) => whole.organizations?.some((one) => one.id === id))
  t.same(found, [1, 70, 71], 'and extends nothing')
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
    const found = String(await read(path))
    t.match(found, message, text)
    t.match(found, /left as it is\. Repair it, move it away, or name another one with --persist/, 'it says what helps')
    t.equal(await readFile(path, 'utf8'), text, 'the file is left alone')
  }
  t.strictSame(await readdir(join(path, '..')), ['state.json'], 'and no lock')
})

t.test('mode and link target of the file stay as they are', async (t) => {
  const place = folder(t)
  const [target, path] = [join(place, 'target.json'), join(place, 'link.json')]
  await symlink('target.json', path)
  const first = await openState(path)
  await first.store(1, 2)
  first.close()
  t.equal((await stat(target)).mode & 0o777, 0o600, 'a new file is for its owner alone')
  await chmod(target, 0o640)
  t.strictSame(await read(path), [1, 2], 'it is read through the link')
  const second = await openState(path)
  await second.store(3)
  second.close()
  t.equal((await stat(target)).mode & 0o777, 0o640, 'a mode that was set stays when the file is written')
  await rm(path)
  t.strictSame(await read(target), [1, 2, 3], 'the link was not replaced by a file')
})

t.test('nobody else may look at a version that is on its way', async (t) => {
  const path = join(folder(t), 'state.json')
  const { store, close } = await openState(path)
  await store(1)
  t.equal((await stat(`${path}.lock`)).mode & 0o777, 0o700)
  close()
  t.strictSame(await readdir(join(path, '..')), ['state.json'], 'nothing stays behind')
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
    await t.rejects(StateFile.open(join(place, name)), { message: /in use by the process \d+/ }, name)
  }
  close()
  t.strictSame(await read(join(place, 'chain.json')), [1], 'and let in once the first has gone')
  await symlink('circle.json', join(place, 'circle.json'))
  await t.rejects(StateFile.open(join(place, 'circle.json')), { message: /links form a loop/ }, 'a circle')
})

t.test('a file that is opened and closed is not written', async (t) => {
  const { path } = await stored(t, [1, 2])
  writeTo(t, { beforeWrite: () => t.fail('it is written') })
  const { state, close } = await openState(path)
  await state.save()
  close()
  t.strictSame(await read(path), [1, 2], 'it is as it was')
})

t.test('what is changed during a write shares the next one', async (t) => {
  let writes = 0
  const path = join(folder(t), 'state.json')
  writeTo(t, { beforeWrite: () => void writes++ })
  const { store, close } = await openState(path)
  await Promise.all([store(1), store(2)])
  await Promise.all(Array.from({ length: 20 }, (_, nth) => store(10 + nth)))
  close()
  t.ok(writes <= 4, 'twenty changes take two writes', { writes })
  t.equal((await read(path)).length, 22, 'all of them are there')
})

t.test('a file with another name by a hard link is refused, and left as it is', async (t) => {
  const { path } = await stored(t, [1])
  await link(path, `${path}.other`)
  await t.rejects(openState(path), { message: /another name \(a hard link\).*Copy the file/ }, 'with what helps')
  t.strictSame((await readdir(join(path, '..'))).sort(), ['state.json', 'state.json.other'], 'no lock is left')
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
  await t.rejects(store(2), {
    name: 'StorageFailure',
    message:
      /could not be stored in .*state\.json: the disk is full\. It has been undone; make .* with room for the file/,
  })
  const left = Array.from(state.collection('organizations').all(), ({ id }) => id)
  t.strictSame(left, [1], 'it is undone')
  isFull = false
  await store(3)
  close()
  t.strictSame(await read(path), [1, 3], 'what was stored is there')
})

t.test('a file that is deleted is made again, one that is replaced is left alone', async (t) => {
  const place = folder(t)
  const path = join(place, 'state.json')
  const { store, close } = await openState(path)
  await store(1)
  await rm(path)
  await store(2)
  const ids = (await written(path)).organizations?.map(({ id }) => id)
  t.strictSame(ids, [1, 2], 'the old and the new')
  await rm(path)
  await writeFile(path, 'mine')
  await t.rejects(store(3), { message: /another program has changed it/ }, 'it is refused')
  t.equal(await readFile(path, 'utf8'), 'mine', 'the other file stays')
  close()
  await t.rejects(link(path, join(place, 'nowhere', 'x')), 'the folder is not made')
})
