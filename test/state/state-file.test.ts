import { chmod, link, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Changes } from '../../src/world/state/changes.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'
import { ORGANIZATION, read, store, stored } from './stored.js'

t.test('what was stored is read, however often the file was opened in between', async (t) => {
  const { path } = await stored(t, [1, 2])
  t.strictSame(await read(path), [1, 2], 'two writes are read')
  const file = await StateFile.open(path)
  const changes = (await file.read()) as Changes
  await store(file, changes, [3])
  await file.close()
  t.strictSame(await read(path), [1, 2, 3], 'and the one after them')
  const third = await StateFile.open(path)
  t.equal((await third.read())?.next('organization'), 4, 'counters go on')
  await third.close()
})

t.test('a file that was cut keeps all but a torn last line, or is refused and left alone', async (t) => {
  const { path, bytes } = await stored(t, [1, 2, 3])
  const last = bytes.lastIndexOf('\n', bytes.length - 2) + 1
  const wrong: number[] = []
  for (let length = 1; length < bytes.length; length++) {
    await writeFile(path, bytes.subarray(0, length))
    const found = await read(path)
    const right =
      length > last
        ? JSON.stringify(found) === '[1,2]'
        : /is damaged|not a state file/.test(String(found)) && (await readFile(path)).equals(bytes.subarray(0, length))
    if (!right) wrong.push(length)
  }
  t.strictSame(wrong, [], 'at every length')
})

t.test('a file with a changed byte is refused, and left alone', async (t) => {
  const { path, bytes } = await stored(t, [1, 2, 3])
  const wrong: number[] = []
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (bytes[at] as number) ^ 1
    await writeFile(path, changed)
    const found = await read(path)
    if (typeof found !== 'string' || !(await readFile(path)).equals(changed)) wrong.push(at)
  }
  t.strictSame(wrong, [], 'at every place')
})

t.test('a file that was written anew has no last line that may be torn', async (t) => {
  const { path } = await stored(t, [1, 2, 3])
  await read(path)
  const bytes = await readFile(path)
  for (const length of [bytes.length - 1, bytes.length - 20, Math.floor(bytes.length / 2)]) {
    await writeFile(path, bytes.subarray(0, length))
    t.match(await read(path), /is damaged/, `${length} of ${bytes.length} bytes are refused`)
  }
})

t.test('a file grows with what is new, and is written anew when it has outgrown its contents', async (t) => {
  const path = join(folder(t), 'state.json')
  const file = await StateFile.open(path)
  const changes = new Changes()
  const name = 'x'.repeat(100_000)
  let largest = 0
  for (let nth = 0; nth < 120; nth++) {
    changes.recordsOf('organizations').set('1', { ...ORGANIZATION, id: 1, name: `${name}${nth}` })
    changes.mark('organizations', '1')
    await file.write(changes)
    largest = Math.max(largest, (await stat(path)).size)
  }
  await file.close()
  t.ok(largest > 4_000_000, 'nothing is written anew for some megabytes')
  t.ok(largest < 6_000_000, 'but it does not grow without a bound')
  t.match(await readFile(path, 'utf8'), `${name}119"`, 'the last version is there')
})

t.test('a file of long records is written anew in lines of a bounded length', async (t) => {
  const { path } = await stored(t, [1])
  const file = await StateFile.open(path)
  const changes = (await file.read()) as Changes
  for (let id = 2; id < 20; id++) {
    changes.recordsOf('organizations').set(String(id), { ...ORGANIZATION, id, name: 'x'.repeat(3_000_000) })
    changes.mark('organizations', String(id))
    await file.write(changes)
  }
  await file.close()
  t.equal((await read(path)).length, 19, 'all of them are read')
  const lines = (await readFile(path, 'utf8')).split('\n')
  t.ok(Math.max(...lines.map(({ length }) => length)) < 10_000_000, 'no line holds all of them', {
    lengths: lines.map(({ length }) => length),
  })
})

t.test('mode and link target of the file stay as they are', async (t) => {
  const place = folder(t)
  const [target, path] = [join(place, 'target.json'), join(place, 'link.json')]
  await symlink('target.json', path)
  const file = await StateFile.open(path)
  await store(file, new Changes(), [1, 2])
  await file.close()
  t.equal((await stat(target)).mode & 0o777, 0o600, 'a new file is for its owner alone')
  await chmod(target, 0o640)
  t.strictSame(await read(path), [1, 2], 'it is read through the link')
  t.equal((await stat(target)).mode & 0o777, 0o640, 'a mode that was set stays when the file is written anew')
  await rm(path)
  t.strictSame(await read(target), [1, 2], 'the link was not replaced by a file')
})

t.test('a second holder is refused under whatever name', async (t) => {
  const place = folder(t)
  const path = join(place, 'state.json')
  const file = await StateFile.open(path)
  await store(file, new Changes(), [1])
  await symlink(path, join(place, 'link.json'))
  await symlink('link.json', join(place, 'chain.json'))
  await mkdir(join(place, 'sub'))
  await symlink(place, join(place, 'sub', 'folder'))
  for (const name of ['state.json', 'link.json', 'chain.json', 'sub/folder/state.json', 'sub/../state.json']) {
    await t.rejects(StateFile.open(join(place, name)), { message: /in use by the process/ }, name)
  }
  await file.close()
  t.strictSame(await read(join(place, 'chain.json')), [1], 'and let in once the first has gone')
})

t.test('a holder in another container is known by its signs of life', async (t) => {
  const path = join(folder(t), 'state.json')
  const file = await StateFile.open(path)
  const lock = JSON.parse(await readFile(`${path}.lock`, 'utf8'))
  await writeFile(`${path}.lock`, JSON.stringify({ ...lock, pid: 1, place: 'another container', lock: 'another' }))
  // The holder's heartbeat touches its own lock only: here the test is the other container.
  const { utimes } = await import('node:fs/promises')
  const heartbeat = setInterval(() => void utimes(`${path}.lock`, new Date(), new Date()), 300)
  await t.rejects(StateFile.open(path), { message: /in use by the process 1/ }, 'one that lives is not robbed')
  clearInterval(heartbeat)
  const second = await StateFile.open(path)
  t.pass('one that is silent is taken for dead')
  await second.close()
  await file.close()
})

t.test('a holder whose lock was taken over stores nothing more', async (t) => {
  const path = join(folder(t), 'state.json')
  const file = await StateFile.open(path)
  const changes = new Changes()
  await store(file, changes, [1])
  await writeFile(`${path}.lock`, JSON.stringify({ pid: 1, began: '', place: 'elsewhere', lock: 'another' }))
  await new Promise((later) => setTimeout(later, 1_200))
  await t.rejects(store(file, changes, [2]), { message: /another process has taken the file over/ }, 'it is refused')
  await file.close()
  t.match(await readFile(`${path}.lock`, 'utf8'), 'another', 'and the lock of the other stays')
})

t.test('a file that is deleted is made again, one that is replaced is left alone', async (t) => {
  const place = folder(t)
  const path = join(place, 'state.json')
  const file = await StateFile.open(path)
  const changes = new Changes()
  await store(file, changes, [1])
  await rm(path)
  await store(file, changes, [2])
  const bytes = await readFile(path, 'utf8')
  t.match(bytes, '"id":1', 'what was there before is there again')
  t.match(bytes, '"id":2', 'and what is new')
  await rm(path)
  await writeFile(path, 'mine')
  await t.rejects(
    store(file, changes, [3]),
    { message: /another program has put a file in its place/ },
    'it is refused',
  )
  t.equal(await readFile(path, 'utf8'), 'mine', 'the other file stays')
  await file.close()
  await t.rejects(link(path, join(place, 'nowhere', 'x')), 'the folder is not made')
})
