import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { Lock } from '../../src/world/state/lock.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { addressOf, CLI, folder, launch } from '../binary.js'
import { openState, read, storeIn } from './stored.js'

/** The lock that a dead process has left; a process id tells nothing: in a container it may be that of the next one. */
async function leave(path: string, pid = process.pid): Promise<void> {
  await mkdir(`${path}.lock`)
  await writeFile(join(`${path}.lock`, 'holder.json'), JSON.stringify({ pid, token: 'of another' }))
}

t.test('a lock that was left is taken over within seconds, whatever process id it names', async (t) => {
  const place = folder(t)
  await Promise.all(
    [1, process.pid, 999_999_999].map(async (pid) => {
      const path = join(place, `${pid}.json`)
      await leave(path, pid)
      const began = performance.now()
      await storeIn(path, [1])
      t.ok(performance.now() - began < 5_000, `that of ${pid}`)
    }),
  )
  await mkdir(join(place, 'empty.lock'))
  const taking = Lock.take(join(place, 'empty.lock')).then((lock) => lock.release())
  await t.resolves(taking, 'a folder without a holder is taken at once')
})

t.test('of many that start beside a stale lock, one holds the file', { timeout: 60_000 }, async (t) => {
  const place = folder(t)
  const round = async (nth: number) => {
    const path = join(place, `${nth}.json`)
    await leave(path)
    const starters = await Promise.allSettled(
      Array.from({ length: 5 }, async () => {
        await sleep(Math.random() * 300)
        return StateFile.open(path)
      }),
    )
    for (const one of starters) if (one.status === 'fulfilled') one.value.close()
    return starters.map((one) => (one.status === 'fulfilled' ? 'holds it' : one.reason.message)).sort()
  }
  const rounds = await Promise.all(Array.from({ length: 40 }, (_, nth) => round(nth)))
  const told = /The state is in use by the process \d+\./
  for (const round of rounds) t.match(round, [told, told, told, told, 'holds it'], 'one, and the others are told who')
  t.strictSame(await readdir(place), [], 'nothing stays behind')
})

t.test('of many servers that start beside a stale lock, one holds the file', { timeout: 60_000 }, async (t) => {
  const path = join(folder(t), 'state.json')
  await leave(path, 1)
  const args = [CLI, '--port', '0', '--no-watch', '--persist', path]
  const servers = Array.from({ length: 3 }, () => launch(t, process.execPath, args))
  const ends = servers.map((one) =>
    Promise.race([one.ended.then(({ code, err }) => `${code} ${err}`), addressOf(one).then(() => 'holds it')]),
  )
  const refused = /^1 .*state\.json: The state is in use by the process \d+\. Stop that process/s
  t.match((await Promise.all(ends)).sort(), [refused, refused, 'holds it'], 'the others say why')
})

async function opened(t: Test) {
  const place = join(folder(t), 'home')
  await mkdir(place)
  const path = join(place, 'state.json')
  const { store, close } = await openState(path)
  t.teardown(() => close())
  await store(1)
  return { place, path, store, close, holder: join(`${path}.lock`, 'holder.json') }
}

t.test('a holder is known by its signs of life, wherever it runs', async (t) => {
  const { path, holder, store } = await opened(t)
  // The holder's heartbeat touches its own lock only: here the test is the other container.
  await writeFile(holder, JSON.stringify({ pid: 1, token: 'of another' }))
  const heartbeat = setInterval(() => void utimes(holder, new Date(), new Date()), 300)
  t.teardown(() => clearInterval(heartbeat))
  await t.rejects(StateFile.open(path), { message: /in use by the process 1\./ }, 'one that lives is not robbed')
  await t.rejects(store(2), { message: /another process has taken over the file/ }, 'who lost it stores nothing more')
  clearInterval(heartbeat)
  t.strictSame(await read(path), [1], 'one that is silent is taken for dead')
})

t.test('a lock that is deleted while the file is in use is taken again', async (t) => {
  const { path, store, close, holder } = await opened(t)
  const before = await readFile(holder, 'utf8')
  await rm(`${path}.lock`, { recursive: true })
  await store(2)
  t.equal(await readFile(holder, 'utf8'), before, 'with the next write')
  await rm(`${path}.lock`, { recursive: true })
  await sleep(1_200)
  await t.rejects(StateFile.open(path), { message: /in use by the process/ }, 'and by itself, within a second')
  await store(3)
  close()
  await t.rejects(stat(`${path}.lock`), { code: 'ENOENT' }, 'it is released at the end')
  t.strictSame(await read(path), [1, 2, 3], 'everything is there')
})

t.test('a lock that another server took after it was deleted is left to it', async (t) => {
  const { path, store, close } = await opened(t)
  await rm(`${path}.lock`, { recursive: true })
  const second = await openState(path)
  await t.rejects(store(2), { message: /another process has taken over the file.*restart this server/s }, 'with help')
  await second.store(3)
  second.close()
  await t.rejects(store(4), { message: /another program has changed it/ }, 'nor when the other has gone')
  close()
  t.strictSame(await read(path), [1, 3], 'what was stored is there')
})

t.test('a folder that is moved away and back is written to again', async (t) => {
  const { place, path, store, close } = await opened(t)
  await rename(place, `${place}-away`)
  await sleep(700)
  await t.rejects(store(2), { message: /its folder does not exist/ }, 'meanwhile it is refused')
  await rename(`${place}-away`, place)
  await store(3)
  close()
  t.strictSame(await read(path), [1, 3], 'what was stored is there')
})

t.test('what is no lock is named', async (t) => {
  const path = join(folder(t, { 'state.json.lock': '' }), 'state.json')
  await t.rejects(StateFile.open(path), {
    message: /lock of the state cannot be written: a file is where a folder should be/,
  })
})
