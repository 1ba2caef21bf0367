import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { SwitchName } from '../../schemas/interpretations.js'
import { defaultReadings, type Readings } from '../../schemas/readings.js'
import { learnedFrom } from '../../src/provider/learned-file.js'
import { countsWhenStrict } from '../../src/provider/report/results.js'
import { verifyProvider } from '../../src/provider/verify.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'
import { others as switched } from '../switches/readings.js'
import { harmless } from './harmless.js'
import { alike, CLOCK, fromFile, learn, TEMPLATES, wire } from './learning.js'
import { mutatingProvider } from './mutating-provider.js'
import { share } from './share.js'
import { provider, TOKEN } from './stub.js'

t.test('each switch: a provider that has another value is learned, and the mock does the same', async (t) => {
  for (const [name, value] of Object.entries(switched) as [SwitchName, unknown][]) {
    const readings = { [name]: value } as Partial<Readings>
    const folder = t.testdir({})
    const theirs = await provider(t, { interpretations: readings, clock: CLOCK })
    const { code, learned, file, text } = await learn(t, `${theirs.url}/~learn`, folder, '--allow-writes')
    t.equal(code, 0, `${name}: it is learned`, { text })
    if (!TEMPLATES.includes(name)) t.strictSame(learned.interpretations[name], value, 'the value is found')
    t.ok(learned.evidence !== undefined && text.includes(name), 'with evidence')

    const strict = ['--strict', '--allow-writes', '--interpretations', file, '--retries', '0']
    const again = await run(t, ['verify', '--target', `${theirs.url}/~again`, '--token', TOKEN, ...strict])
    t.equal(again.code, 0, `${name}: verify --strict is clean`, { text: again.out })

    const ours = await provider(t, { ...fromFile(file), clock: CLOCK })
    const [one, other] = [await wire(theirs.url), await wire(ours.url)]
    if (TEMPLATES.includes(name))
      t.strictSame(other.map(alike), one.map(alike), `${name}: the mock has the same shapes`)
    else t.strictSame(other, one, `${name}: the mock answers the same bytes`)
    await theirs.close()
    await ours.close()
  }
})

t.test('after learning, any harmless variation is clean with --strict', { timeout: 300_000 }, async (t) => {
  const provide = await mutatingProvider(t, await build(t, { journalSize: 1 }))
  for (const variation of share(harmless, 6)) {
    const target = { url: provide(variation), token: TOKEN, headers: [], timeout: 5_000, retries: 0 }
    const first = await verifyProvider(defaultReadings, contracts, target, { allowWrites: true })
    const { interpretations } = learnedFrom(first.lessons, target.url, new Date())
    const readings = { ...defaultReadings, ...interpretations } as Readings
    const again = { ...target, url: provide(variation) }
    const own = contractsUnder(contracts, readings)
    const { findings } = await verifyProvider(readings, own, again, { allowWrites: true })
    const left = findings.all.filter((one) => one.state === 'drift' || countsWhenStrict(one))
    t.strictSame(left, [], variation.name)
  }
})
