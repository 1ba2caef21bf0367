import { mkdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { StateFile } from '../../src/world/state/state-file.js'
import { folder } from '../binary.js'
import { openState, read, storeIn } from './stored.js'

t.test('a lock that was left by a dead process is taken over within seconds', async (t) => {
  const path = join(folder(t), 'state.json')
  await mkdir(`${path}.lock`)
  const began = performance.now()
  await storeIn(path, [1])
  t.ok(performance.now() - began < 5_000)
  await t.rejects(stat(`${path}.lock`), { code: 'ENOENT' }, 'and released')
})

async function opened(t: Test) {
  const place = join(folder(t), 'home')
  await mkdir(place)
  const path = join(place, 'state.json')
  const { store, close } = await openState(path)
  t.teardown(() => close())
  await store(1)
  return { place, path, store, close }
}

t.test('one that is used is not taken over', { timeout: 20_000 }, async (t) => {
  const { path, store } = await opened(t)
  await t.rejects(StateFile.open(path), { message: /The state is in use by another server\. Stop it, or name another/ })
  await store(2)
})

t.test('a server whose lock was taken stores nothing more', async (t) => {
  const { path, store, close } = await opened(t)
  await utimes(`${path}.lock`, new Date(0), new Date(0))
  await sleep(1_500)
  const refused = /another process has taken over the file.*restart this server/s
  await t.rejects(store(2), { message: refused }, 'with help')
  await close()
  await rm(`${path}.lock`, { recursive: true, force: true })
  t.strictSame(await read(path), [1], 'what was stored is there')
})

t.test('a folder that is moved away and back is written to again', async (t) => {
  const { place, path, store, close } = await opened(t)
  await rename(place, `${place}-away`)
  await t.rejects(store(2), { message: /state\.json: it does not exist\. It has been undone; make/ }, 'meanwhile')
  await rename(`${place}-away`, place)
  await store(3)
  await close()
  t.strictSame(await read(path), [1, 3], 'what was stored is there')
})
