import { execFile } from 'node:child_process'
import files, { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { Changes } from '../../src/world/state/changes.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'
import { takeLockOver } from './faulty-disk.js'
import { read, store } from './stored.js'

const DEAD = JSON.stringify({ pid: 999_999_999, began: '1', place: 'nowhere', lock: 'gone' })

/** A file system whose calls take their time, each another one, so that processes overtake one another. */
const slowly = Object.fromEntries(
  (['open', 'readFile', 'readdir', 'rename', 'stat', 'unlink', 'writeFile', 'link'] as const).map((name) => {
    const call = files[name] as (...args: unknown[]) => Promise<unknown>
    const pause = () => new Promise((later) => setTimeout(later, Math.random() < 0.3 ? Math.random() * 40 : 0))
    return [
      name,
      async (...args: unknown[]) => {
        await pause()
        // A pause after a call that failed tells as much as one after a call that did not.
        return call(...args).finally(pause)
      },
    ]
  }),
)

t.test('of many that start beside a stale lock, one holds the file', { timeout: 100_000 }, async (t) => {
  const takeLock = await takeLockOver(t, slowly)
  const place = folder(t)
  const held: number[] = []
  const reasons = new Set<string>()
  const round = async (nth: number) => {
    const path = join(place, `${nth}.json`)
    const stale = JSON.parse(DEAD)
    const { place: here } = JSON.parse(await ownLock(takeLock, path))
    await writeFile(`${path}.lock`, JSON.stringify({ ...stale, place: here }))
    const starters = await Promise.allSettled(
      Array.from({ length: 5 }, async () => {
        await new Promise((later) => setTimeout(later, Math.random() * 60))
        return takeLock(path, path)
      }),
    )
    const locks = starters.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const one of starters) if (one.status === 'rejected') reasons.add(one.reason.message.replace(/.*json: /, ''))
    held.push(locks.length)
    for (const lock of locks) await lock.release()
  }
  for (let nth = 0; nth < 160; nth += 20) await Promise.all(Array.from({ length: 20 }, (_, one) => round(nth + one)))
  t.strictSame([...new Set(held)], [1], 'never two, and never none')
  t.strictSame(
    [...reasons].filter((reason) => !/^The state is in use by the process \d+\./.test(reason)),
    [],
    'the others are told who has it',
  )
  t.strictSame(await readdir(place), [], 'nothing stays behind')
})

/** What a lock of this process says. */
async function ownLock(
  takeLock: typeof import('../../src/world/state/lock.js').takeLock,
  path: string,
): Promise<string> {
  const lock = await takeLock(path, path)
  const text = await readFile(`${path}.lock`, 'utf8')
  await lock.release()
  return text
}

async function opened(t: Test) {
  const place = join(folder(t), 'home')
  await mkdir(place)
  const path = join(place, 'state.json')
  const file = await StateFile.open(path)
  t.teardown(() => file.close())
  const changes = new Changes()
  await store(file, changes, [1])
  return { place, path, file, changes }
}

t.test('a lock that is deleted while the file is in use is taken again', async (t) => {
  const { path, file, changes } = await opened(t)
  const before = await readFile(`${path}.lock`, 'utf8')
  await rm(`${path}.lock`)
  await store(file, changes, [2])
  t.equal(await readFile(`${path}.lock`, 'utf8'), before, 'with the next write')
  await rm(`${path}.lock`)
  await new Promise((later) => setTimeout(later, 1_200))
  await t.rejects(StateFile.open(path), { message: /in use by the process/ }, 'and by itself, within a second')
  await store(file, changes, [3])
  await file.close()
  await t.rejects(stat(`${path}.lock`), { code: 'ENOENT' }, 'it is released at the end')
  t.strictSame(await read(path), [1, 2, 3], 'everything is there')
})

t.test('a lock that another server took after it was deleted is left to it', async (t) => {
  const { path, file, changes } = await opened(t)
  await rm(`${path}.lock`)
  const second = await StateFile.open(path)
  const theirs = (await second.read()) as Changes
  await t.rejects(
    store(file, changes, [2]),
    { message: /another process has taken the file over.*restart this server/s },
    'the first is refused at once, and told what helps',
  )
  await store(second, theirs, [3])
  await second.close()
  await t.rejects(
    store(file, changes, [4]),
    { message: /another program has changed it|put a file in its place/ },
    'when the other has gone, it does not write over what that one stored',
  )
  await file.close()
  t.strictSame(await read(path), [1, 3], 'what was stored is there')
})

t.test('a folder that is moved away and back is written to again', async (t) => {
  const { place, path, file, changes } = await opened(t)
  await rename(place, `${place}-away`)
  await new Promise((later) => setTimeout(later, 700))
  await t.rejects(store(file, changes, [2]), { message: /its folder does not exist/ }, 'meanwhile it is refused')
  await rename(`${place}-away`, place)
  await store(file, changes, [3])
  await file.close()
  t.match(await read(path), [1], 'what was stored is there')
})

t.test('a lock that is no file is named, and never waited for', async (t) => {
  const place = folder(t)
  const kinds = [
    ['pipe', (path: string) => promisify(execFile)('mkfifo', [path])],
    ['folder', (path: string) => mkdir(join(path, 'full'), { recursive: true })],
  ] as const
  for (const [kind, make] of kinds) {
    const path = join(place, `${kind}.json`)
    await make(`${path}.lock`)
    const late = new Promise((later) => setTimeout(later, 2_000, 'nothing is said'))
    const said = StateFile.open(path).catch((error: Error) => error.message)
    t.match(await Promise.race([said, late]), new RegExp(`lock.*it is a ${kind}, no file`), kind)
  }
})
