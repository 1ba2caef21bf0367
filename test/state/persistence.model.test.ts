import assert from 'node:assert/strict'
import fs from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { openLibrary } from '../../src/server/load-data.js'
import { resolveSettings } from '../../src/server/settings.js'
import { State } from '../../src/world/state/state.js'
import { StateFile } from '../../src/world/state/state-file.js'
import { World } from '../../src/world/world.js'
import { folder } from '../binary.js'
import { holds } from '../property.js'
import { writeTo } from './faulty-disk.js'

/** A disk that fails from a certain call on, for so many calls; a write that fails writes a part. */
const disk = { calls: 0, failures: 0, failing: (_call: number) => false }

function mayFail(): void {
  disk.calls++
  if (!disk.failing(disk.calls)) return
  disk.failures++
  throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
}

/** The same call, which fails where the disk does. */
function faulty<Args extends unknown[]>(call: (...args: Args) => void) {
  return (...args: Args) => {
    mayFail()
    call(...args)
  }
}

const settings = resolveSettings({}, {}, { file: undefined, config: {} })
const seeded = { fixtures: {}, files: [] }
const library = openLibrary(settings, contracts)
const UUID = '1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20'

type Action = { kind: 'put'; key: number } | { kind: 'reset' } | { kind: 'replace'; key: number } | { kind: 'settle' }

/** What should be there: what was answered with 200, in the order in which it was done. */
interface Done {
  readonly action: Action
  readonly name: string
  ok: boolean
}

function expected(done: readonly Done[]): { records: Record<string, string>; mails: string[] } {
  let records: Record<string, string> = {}
  let mails: string[] = []
  for (const { action, name } of done.filter(({ ok }) => ok)) {
    if (action.kind === 'put') {
      records = { ...records, [action.key]: name }
      mails = [...mails, name]
    } else {
      records = action.kind === 'replace' ? { [action.key]: name } : {}
      if (action.kind === 'reset') mails = []
    }
  }
  return { records, mails }
}

function act(world: World, action: Action, name: string): Promise<void> {
  if (action.kind === 'put') {
    world.state.collection('organizations').put({ id: action.key, uuid: UUID, name })
    const mail = { to: name, from: '', subject: '', text: '', html: '', links: { accept: '', decline: '' } }
    world.send({ id: world.uuid('mail'), created_at: '', ...mail })
  }
  if (action.kind === 'reset') return world.reset()
  if (action.kind === 'replace') world.state.replace({ organizations: [{ id: action.key, uuid: UUID, name }] })
  return world.state.save()
}

function namesIn(records: Iterable<{ id: number; name: string }>): Record<string, string> {
  return Object.fromEntries(Array.from(records, ({ id, name }) => [id, name]))
}

/** What a process that starts now would read. */
function onDisk(path: string): Record<string, string> {
  const text = fs.existsSync(path) ? fs.readFileSync(path, 'utf8') : '{}'
  return namesIn(JSON.parse(text).organizations ?? [])
}

const key = fc.integer({ min: 1, max: 4 })
const actions = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), key }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'reset' as const }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('replace' as const), key }) },
    { weight: 4, arbitrary: fc.constant({ kind: 'settle' as const }) },
  ),
  { maxLength: 25 },
)
const failure = fc.record({ from: fc.integer({ min: 1, max: 30 }), calls: fc.integer({ min: 1, max: 6 }) })
const failures = fc.array(failure, { maxLength: 4 })

t.test('what was answered is there, what was refused is not, in memory and on disk, wherever it fails', async (t) => {
  const place = folder(t)
  writeTo(t, { beforeWrite: mayFail, fs: { chmodSync: faulty(fs.chmodSync), renameSync: faulty(fs.renameSync) } })
  let run = 0
  const check = async (steps: readonly Action[], outages: readonly { from: number; calls: number }[]) => {
    const path = join(place, `${++run}.json`)
    Object.assign(disk, { calls: 0, failing: () => false })
    const file = await StateFile.open(path)
    const state = await State.open(seeded, file)
    const world = new World(null, { settings, seeded, library }, new Map(), state)
    disk.failing = (call) => outages.some(({ from, calls }) => call >= from && call < from + calls)
    const done: Done[] = []
    let pending: Promise<unknown>[] = []
    const compare = async () => {
      await Promise.all(pending)
      pending = []
      const { records, mails } = expected(done)
      const sent = world.outbox.messages()
      const memory = namesIn(world.state.collection('organizations').all())
      const seen = { memory, disk: onDisk(path), mails: sent.map(({ to }) => to) }
      assert.deepEqual(seen, { memory: records, disk: records, mails })
      assert.equal(new Set(sent.map(({ id }) => id)).size, sent.length, 'an id came twice')
    }
    const attempt = async (one: Done) => {
      done.push(one)
      await act(world, one.action, one.name)
      one.ok = true
    }
    for (const [at, action] of steps.entries()) {
      if (action.kind === 'settle') await compare()
      else pending.push(attempt({ action, name: `${action.kind}${at}`, ok: false }).catch(() => {}))
    }
    await compare()
    disk.failing = () => false
    await file.close()
  }
  const property = fc.asyncProperty(actions, failures, check)
  await holds(t, 'memory, disk and outbox are as answered', property, { numRuns: 300, seed: 20_261 })
  t.ok(disk.failures > 100, 'the disk did fail', { failures: disk.failures })
})
