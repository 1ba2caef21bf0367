import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { folder } from '../binary.js'
import { writeTo } from './faulty-disk.js'
import { openState, read, storeIn } from './stored.js'

/** A file under way that has stored the organizations 1 and 2, and a copy of it as it was after the first. */
async function underWay(t: Test, path = join(folder(t), 'state.json')) {
  const backup = `${path}.backup`
  const { store, close } = await openState(path)
  t.teardown(() => close())
  await store(1)
  await copyFile(path, backup)
  await store(2)
  // File systems count time in steps of some milliseconds.
  await sleep(20)
  return { path, backup, store, close }
}

type Meddle = (path: string, backup: string) => Promise<void>

const meddlings: Readonly<Record<string, Meddle>> = {
  'is cut short': (path) => truncate(path, 150),
  'is overwritten with an older copy': (path, backup) => copyFile(backup, path),
  'is overwritten with something else': (path) => writeFile(path, 'mine'),
  'is appended to': (path) => appendFile(path, 'mine'),
  'has a byte changed': async (path) => {
    const bytes = await readFile(path)
    bytes[bytes.length - 5] = (bytes.at(-5) as number) ^ 1
    await writeFile(path, bytes)
  },
  'is touched': (path) => utimes(path, new Date(0), new Date(0)),
  'is replaced': async (path) => {
    await writeFile(`${path}.other`, 'mine')
    await rename(`${path}.other`, path)
  },
}

for (const [label, meddle] of Object.entries(meddlings)) {
  for (const when of ['between two writes', 'during a write']) {
    t.test(`a file that ${label} ${when} is left alone until it is moved away`, async (t) => {
      const during: Meddle[] = []
      const path = join(folder(t), 'state.json')
      writeTo(t, { afterWrite: async () => during.pop()?.(path, `${path}.backup`) })
      const { backup, store, close } = await underWay(t, path)
      let left: Buffer | undefined
      const meddled: Meddle = async (...paths) => {
        await meddle(...paths)
        left = await readFile(path)
      }
      if (when === 'during a write') during.push(meddled)
      else await meddled(path, backup)
      for (const attempt of ['first', 'second']) {
        const refused = { message: /another program has changed it.*move the file away and send the request again/s }
        await t.rejects(store(3), refused, `the ${attempt} write is refused, with what helps`)
        t.strictSame(await readFile(path), left, `and the file is as the other program left it (${attempt})`)
      }
      await rename(path, `${path}.away`)
      await store(4)
      await close()
      t.strictSame(await read(path), [1, 2, 4], 'all that was stored is in the new file, and nothing that was refused')
    })
  }
}

/** What takes nothing of anybody away. */
const vacated: Readonly<Record<string, Meddle>> = {
  'is emptied': (path) => truncate(path, 0),
  'is deleted': (path) => rm(path),
}

for (const [label, meddle] of Object.entries(vacated)) {
  t.test(`a file that ${label} while it is in use is written anew with all that was stored`, async (t) => {
    const { path, backup, store, close } = await underWay(t)
    await meddle(path, backup)
    await store(3)
    await close()
    t.strictSame(await read(path), [1, 2, 3], 'nothing is lost')
  })
}

t.test('a file that is meddled with during steady writes is never answered for in vain', async (t) => {
  for (const [label, meddle] of Object.entries({ ...meddlings, ...vacated })) {
    const { path, backup, store, close } = await underWay(t)
    const answered: number[] = [1, 2]
    let refusals = 0
    const writing = (async () => {
      for (let id = 101; id <= 160; id++) {
        try {
          await store(id)
          answered.push(id)
        } catch {
          refusals++
          if (refusals === 1) await rename(path, `${path}.away`)
        }
      }
    })()
    await sleep(5)
    await meddle(path, backup).catch(() => {})
    await writing
    await close()
    const found = await read(path)
    const lost = Array.isArray(found) ? answered.filter((one) => !found.includes(one)) : found
    t.strictSame(lost, [], `${label}: all is there`)
  }
})

t.test('an empty file is a state without changes', async (t) => {
  const path = join(folder(t, { 'state.json': '' }), 'state.json')
  t.strictSame(await read(path), [], 'it holds nothing')
  await storeIn(path, [1])
  t.strictSame(await read(path), [1], 'and takes what is stored')
})

t.test('what is no regular file is refused at once, and leaves no lock', async (t) => {
  const place = folder(t)
  await promisify(execFile)('mkfifo', [join(place, 'pipe')])
  await mkdir(join(place, 'folder'))
  for (const [name, message] of [
    ['pipe', /it is a pipe, not a file.*\n.*The state cannot be used/],
    ['folder', /it is a folder.*\n.*The state cannot be used/],
  ] as const) {
    const late = sleep(2_000, 'nothing is said')
    t.match(await Promise.race([read(join(place, name)), late]), message, name)
    await t.rejects(stat(join(place, `${name}.lock`)), { code: 'ENOENT' }, 'there is no lock')
  }
  t.match(await read('/dev/null'), /it is a device, not a file/, 'a device is refused')
})
