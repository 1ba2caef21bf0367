import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { addressOf, CLI, folder, launch } from '../binary.js'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const keepsCode = major > 22 || (major === 22 && minor >= 8)

/** The files of compiled code in a user's caches. */
function filesIn(caches: string): string[] {
  const own = join(caches, 'countersign/compiled')
  return existsSync(own) ? readdirSync(own, { recursive: true, encoding: 'utf8' }) : []
}

async function runWith(t: Parameters<typeof folder>[0], env: Readonly<Record<string, string>>): Promise<void> {
  const { ended } = launch(t, process.execPath, [CLI, 'list', 'scenarios'], { env })
  t.match(await ended, { code: 0, err: '' })
}

t.test('compiled code is kept among the caches of the user, where Node can', async (t) => {
  const caches = folder(t)
  await runWith(t, { XDG_CACHE_HOME: caches })
  t.equal(filesIn(caches).length > 10, keepsCode, `Node ${process.version}`)
  if (!keepsCode) return
  t.equal(statSync(join(caches, 'countersign/compiled')).mode & 0o077, 0, 'nobody else can read or write it')
  await runWith(t, { XDG_CACHE_HOME: caches })
  t.pass('the next start runs what is there')
})

t.test('nothing is kept where that is not wanted, or where others could put code', async (t) => {
  const off = folder(t)
  await runWith(t, { XDG_CACHE_HOME: off, NODE_DISABLE_COMPILE_CACHE: '1' })
  t.same(readdirSync(off), [], 'NODE_DISABLE_COMPILE_CACHE')
  const shared = folder(t)
  mkdirSync(join(shared, 'countersign/compiled'), { recursive: true })
  chmodSync(join(shared, 'countersign/compiled'), 0o777)
  await runWith(t, { XDG_CACHE_HOME: shared })
  t.same(filesIn(shared), [], 'a folder that others can write to')
  const missing = join(folder(t), 'none/at/all')
  await runWith(t, { XDG_CACHE_HOME: missing })
  t.equal(existsSync(missing), false, 'caches that are not there')
})

t.test(
  'a server that is killed leaves its compiled code as well',
  { skip: !keepsCode && 'Node keeps none' },
  async (t) => {
    const caches = folder(t)
    const running = launch(t, process.execPath, [CLI, 'start', '--port', '0'], { env: { XDG_CACHE_HOME: caches } })
    await addressOf(running)
    for (let tries = 0; filesIn(caches).length < 10 && tries < 100; tries++) await sleep(100)
    t.ok(filesIn(caches).length > 10)
  },
)

t.test(
  'a folder that fills up is emptied, but not one that others chose',
  { skip: !keepsCode && 'Node keeps none' },
  async (t) => {
    /** Starts a server with two thousand files of others in the folder, and tells how many of them are left. */
    const leftBeside = async (caches: string, env: Readonly<Record<string, string>>, kept: string) => {
      const start = async () => {
        const running = launch(t, process.execPath, [CLI, 'start', '--port', '0'], { env })
        await addressOf(running)
        await sleep(2_000)
        running.child.kill('SIGKILL')
        await running.ended
      }
      await start()
      const [version = ''] = readdirSync(join(caches, kept))
      const place = join(caches, kept, version)
      for (let nth = 0; nth < 2_001; nth++) writeFileSync(join(place, `other-${nth}`), '')
      await start()
      return existsSync(place) ? readdirSync(place).filter((name) => name.startsWith('other-')).length : 0
    }
    const ours = folder(t)
    t.equal(await leftBeside(ours, { XDG_CACHE_HOME: ours }, 'countersign/compiled'), 0, 'ours')
    const theirs = folder(t)
    mkdirSync(join(theirs, 'chosen'))
    t.equal(await leftBeside(theirs, { NODE_COMPILE_CACHE: join(theirs, 'chosen') }, 'chosen'), 2_001, 'theirs')
  },
)
