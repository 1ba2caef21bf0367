import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { createServer } from '../../src/server/create-server.js'
import { resolveSettings } from '../../src/server/settings.js'
import { folder } from '../binary.js'
import { holds } from '../property.js'
import { reading } from '../switches/readings.js'
import { anyCalls, type Call, make } from './calls.js'
import { lookAtAll } from './looks.js'
import { contentsOf, type Rules, WorldModel } from './model.js'
import { ROOT, type Run, START, seeded } from './run.js'

const rules: fc.Arbitrary<Rules> = fc.record({
  acceptance: fc.constantFrom<Rules['acceptance']>('manual', 'immediately', { after: 45_000 }, { after: 45_000 }),
  pendingInvitation: fc.constantFrom('resend', 'conflict'),
})

t.test('worlds are as their calls make them, each for itself', async (t) => {
  const place = folder(t)
  let runs = 0
  const check = async (rules: Rules, persisted: boolean, calls: readonly Call[]) => {
    const settings = {
      ...resolveSettings({ clock: new Date(START).toISOString() }, {}, { file: undefined, config: {} }),
      watch: false,
      acceptance: rules.acceptance,
      readings: reading({ permissionReach: 'everywhere', pendingInvitation: rules.pendingInvitation }),
      persist: persisted ? join(place, `${++runs}.json`) : undefined,
    }
    const start = () => createServer(settings, { fixtures: seeded })
    const run: Run = {
      rules,
      persisted,
      models: new Map([[ROOT, new WorldModel(rules, contentsOf(seeded), START)]]),
      server: await start(),
      restart: async () => {
        await run.server.close()
        return start()
      },
    }
    try {
      for (const call of calls) await make(run, call)
      await lookAtAll(run)
    } finally {
      await run.server.close()
    }
  }
  // Storing takes time: one run in four does.
  const persisted = fc.nat(3).map((draw) => draw === 3)
  const property = fc.asyncProperty(rules, persisted, anyCalls, check)
  await holds(t, 'every answer and every list is that of the model', property, { numRuns: 150, seed: 20_261 })
})
