import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { readConfig } from '../../src/server/config-file.js'
import { loadShared } from '../../src/server/load-data.js'
import { environmentOf, optionNames, readEnvironment } from '../../src/server/options.js'
import { resolveSettings } from '../../src/server/settings.js'
import { Clock, clockStart } from '../../src/world/clock.js'
import { folder } from '../binary.js'
import { holds } from '../property.js'
import { type Mangled, mangled, readOrRefuse, textOf } from './documents.js'

const bases = {
  everything: {
    version: 1,
    port: 0,
    host: '127.0.0.1',
    fixtures: 'fixtures.json',
    scenarios: 'scenarios',
    scenario: ['verifyDocument:404'],
    active: ['it', 'listCreditHistories:400'],
    seed: 7,
    clock: '2026-01-15T09:30:00Z',
    persist: 'state.json',
    smtp: 'smtp://127.0.0.1:1025',
    auth: 'any',
    strict: true,
    'body-limit': 1000,
    journal_size: 10,
    adminToken: 'x',
    watch: false,
    interpretations: { pendingInvitation: 'conflict', errorBody: 'flat' },
    invitations: { accept: { after: '3s' } },
  },
  little: { active: ['it'], invitations: { accept: 'immediately' } },
  nothing: null,
}
const WORDS = [
  ...optionNames,
  ...'active interpretations invitations accept after 3s 1e9h manual real known body-limit .. / /dev/null smtp://'.split(
    ' ',
  ),
  ...'2026-01-15 0001-01-01T00:00:00Z 1 http://[ true other toString seed'.split(' '),
  'after: 3s',
  '0.5 h',
]

t.test('a config file, whatever it holds, is refused in words or makes settings to start with', async (t) => {
  const place = join(folder(t), 'place')
  const check = async (one: Mangled) => {
    await rm(place, { recursive: true, force: true })
    await mkdir(join(place, 'scenarios'), { recursive: true })
    await writeFile(join(place, 'scenarios/it.yaml'), 'extends: ["verifyDocument:404"]\n')
    await writeFile(join(place, 'fixtures.json'), '{}')
    await writeFile(join(place, `countersign.config.${one.ending}`), textOf(bases, one))
    const settings = await readOrRefuse(async () => resolveSettings({}, {}, await readConfig(undefined, place), place))
    if (settings === undefined) return
    assert.match(new Clock(clockStart(settings.clock)).iso(), /^\d{4}-/, `the clock stands at ${settings.clock}`)
    await readOrRefuse(() => loadShared(settings, contracts as readonly Contract[]))
  }
  await holds(t, 'any file', fc.asyncProperty(mangled(bases, WORDS), check), { numRuns: 150, seed: 20_261 })
})

t.test('an environment, whatever it holds, is refused in words or makes settings', async (t) => {
  const environment = fc.dictionary(
    fc.constantFrom(...optionNames.map(environmentOf)),
    fc.oneof(fc.constantFrom(...WORDS, '0', '-1', '65536', 'false', '1e3', ''), fc.string({ unit: 'binary' })),
  )
  const check = async (variables: Record<string, string>) => {
    await readOrRefuse(() => resolveSettings({}, readEnvironment(variables), { file: undefined, config: {} }))
  }
  await holds(t, 'any variables', fc.asyncProperty(environment, check), { numRuns: 200, seed: 20_261 })
})
