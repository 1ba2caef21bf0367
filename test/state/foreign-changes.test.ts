import { execFile } from 'node:child_process'
import files, {
  appendFile,
  copyFile,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { Changes } from '../../src/world/state/changes.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'
import { stateFileOver } from './faulty-disk.js'
import { read, store } from './stored.js'

/** A file under way that has stored the organizations 1 and 2, and a copy of it as it was after the first. */
async function underWay(t: Test) {
  const path = join(folder(t), 'state.json')
  const backup = `${path}.backup`
  const file = await StateFile.open(path)
  t.teardown(() => file.close())
  const changes = new Changes()
  await store(file, changes, [1])
  await copyFile(path, backup)
  await store(file, changes, [2])
  return { path, backup, file, changes }
}

type Meddle = (path: string, backup: string) => Promise<void>

/** The same bytes but for one, in the same file. */
const flip: Meddle = async (path) => {
  const bytes = await readFile(path)
  bytes[bytes.length - 5] = (bytes.at(-5) as number) ^ 1
  await writeFile(path, bytes)
}

const empty: Meddle = (path) => truncate(path, 0)

const meddlings: Readonly<Record<string, Meddle>> = {
  'is cut short': (path) => truncate(path, 150),
  'is overwritten with an older copy': (path, backup) => copyFile(backup, path),
  'is overwritten with something else': (path) => writeFile(path, 'mine'),
  'is appended to': (path) => appendFile(path, 'mine'),
  'has a byte changed': flip,
}

for (const [label, meddle] of Object.entries(meddlings)) {
  t.test(`a file that ${label} while it is in use is left alone until it is moved away`, async (t) => {
    const { path, backup, file, changes } = await underWay(t)
    await meddle(path, backup)
    const bytes = await readFile(path)
    for (const attempt of ['first', 'second']) {
      const refused = { message: /another program has changed it.*move the file away and send it again/s }
      // The record stays marked, as a change that is undone and sent again.
      await t.rejects(store(file, changes, [3]), refused, `the ${attempt} write is refused, with what helps`)
      t.ok((await readFile(path)).equals(bytes), `and the file is as the other program left it (${attempt})`)
    }
    await rename(path, `${path}.away`)
    await store(file, changes, [4])
    await file.close()
    const ids = await read(path)
    t.ok(Array.isArray(ids) && [1, 2, 4].every((id) => ids.includes(id)), 'all that was stored is in the new file')
  })
}

t.test('a file that is emptied while it is in use is written anew with all that was stored', async (t) => {
  const { path, file, changes } = await underWay(t)
  await truncate(path, 0)
  await store(file, changes, [3])
  await file.close()
  t.strictSame(await read(path), [1, 2, 3], 'nothing is lost')
})

t.test('a file that is only touched goes on', async (t) => {
  const { path, file, changes } = await underWay(t)
  await utimes(path, new Date(0), new Date(0))
  const { ino } = await stat(path)
  await store(file, changes, [3])
  t.equal((await stat(path)).ino, ino, 'it is not written anew')
  await file.close()
  t.strictSame(await read(path), [1, 2, 3], 'everything is there')
})

t.test('a file that is meddled with during steady writes is never answered for in vain', async (t) => {
  for (const [label, meddle] of Object.entries({ ...meddlings, 'is emptied': empty })) {
    const { path, backup, file, changes } = await underWay(t)
    let id = 100
    const answered: number[] = [1, 2]
    const refusals: unknown[] = []
    const writing = (async () => {
      while (id < 200) {
        id++
        try {
          await store(file, changes, [id])
          answered.push(id)
        } catch (error) {
          refusals.push(error)
          if (refusals.length === 1) await rename(path, `${path}.away`)
        }
      }
    })()
    await new Promise((later) => setTimeout(later, 5))
    await meddle(path, backup)
    await writing
    await file.close()
    const found = await read(path)
    t.strictSame(
      Array.isArray(found) ? answered.filter((one) => !found.includes(one)) : found,
      [],
      `a file that ${label}: all that was answered is there`,
    )
  }
})

const replace: Meddle = async (path) => {
  await writeFile(`${path}.other`, 'mine')
  await rename(`${path}.other`, path)
}

for (const [label, meddle] of Object.entries({ ...meddlings, 'is emptied': empty, 'is replaced': replace })) {
  t.test(`a write during which the file ${label} is refused, and the next one too`, async (t) => {
    const during: Meddle[] = []
    const path = join(folder(t), 'state.json')
    const Mocked = await stateFileOver(t, {
      open: async (name, ...rest) => {
        const handle = await files.open(name, ...rest)
        const datasync = handle.datasync.bind(handle)
        const meddled = async () => {
          await during.pop()?.(path, `${path}.backup`)
          return datasync()
        }
        return Object.assign(handle, { datasync: meddled })
      },
    })
    const file = await Mocked.open(path)
    t.teardown(() => file.close())
    const changes = new Changes()
    await store(file, changes, [1])
    await copyFile(path, `${path}.backup`)
    await store(file, changes, [2])
    during.push(meddle)
    const refused = { message: /another program has (changed it|put a file in its place)/ }
    await t.rejects(store(file, changes, [3]), refused, 'it is refused')
    if (label === 'is emptied') return
    await t.rejects(store(file, changes, [4]), refused, 'so is the next one')
    await rename(path, `${path}.away`)
    await store(file, changes, [5])
    await file.close()
    const ids = await read(path)
    t.ok(Array.isArray(ids) && [1, 2, 5].every((id) => ids.includes(id)), 'all that was stored is in a new file')
  })
}

t.test('an empty file is a state without changes', async (t) => {
  const path = join(folder(t, { 'state.json': '' }), 'state.json')
  const file = await StateFile.open(path)
  t.equal(await file.read(), null, 'it holds nothing')
  await store(file, new Changes(), [1])
  await file.close()
  t.strictSame(await read(path), [1], 'and takes what is stored')
})

t.test('what is no regular file is refused at once, and leaves no lock', async (t) => {
  const place = folder(t)
  await promisify(execFile)('mkfifo', [join(place, 'pipe')])
  await mkdir(join(place, 'folder'))
  const kinds = [
    [join(place, 'pipe'), /The state cannot be used: it is a pipe, no file/],
    [join(place, 'folder'), /The state cannot be used: it is a folder, no file/],
  ] as const
  for (const [path, message] of kinds) {
    const opened = StateFile.open(path).then(async (file) => {
      await file.read().finally(() => file.close())
    })
    const late = new Promise((later) => setTimeout(later, 2_000, 'nothing is said'))
    t.match(await Promise.race([opened.catch((error: Error) => error.message), late]), message, path)
    await t.rejects(stat(`${path}.lock`), { code: 'ENOENT' }, 'there is no lock')
  }
  await t.rejects(
    StateFile.open('/dev/null').then((file) => file.read().finally(() => file.close())),
    { message: /it is a device, no file/ },
    'a device is refused',
  )
  await rm(join(place, 'pipe'))
})
