import t from 'tap'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'

const CONFIG = 'countersign.config.yaml'

t.test('a flag beats the environment beats the config file beats the default', async (t) => {
  const cwd = folder(t, { [CONFIG]: 'clock: 2001-01-01T00:00:00Z\njournal-size: 5\n' })
  const env = { COUNTERSIGN_CLOCK: '2002-01-01T00:00:00Z', COUNTERSIGN_SCENARIO: 'expired-token, verifyDocument:404' }
  const year = async (args: string[], place: { cwd?: string; env?: Record<string, string> }) => {
    const { url } = await serve(t, args, place)
    const clock = (await (await fetch(`${url}/__admin/clock`)).json()) as { now: string; frozen: boolean }
    const { scenarios } = (await (await fetch(`${url}/__admin/scenarios`)).json()) as {
      scenarios: { name: string; active: boolean }[]
    }
    return [clock.frozen && clock.now.slice(0, 4), ...scenarios.filter((one) => one.active).map(({ name }) => name)]
  }
  t.same(
    await year(['--clock=2003-01-01T00:00:00Z', '--scenario', 'empty-account'], { cwd, env }),
    ['2003', 'empty-account'],
    'a flag beats the environment',
  )
  t.same(await year([], { cwd, env }), ['2002', 'expired-token', 'verifyDocument:404'], 'the environment beats it')
  t.same(await year([], { cwd }), ['2001'], 'the config file beats the default')
  t.same(await year([], {}), [false], 'the default is the real time')
  const { code, err } = await run(t, [], { env: { COUNTERSIGN_PORT: 'eighty' } })
  t.match({ code, err }, { code: 1, err: "COUNTERSIGN_PORT must be a whole number from 0 to 65535, not 'eighty'" })
  const { err: both } = await run(t, [], { env: { COUNTERSIGN_CLOCK: 'soon', COUNTERSIGN_SCENARIO: ',,' } })
  t.match(both, /COUNTERSIGN_CLOCK must be 'real', or an ISO 8601 time .*, not 'soon'\.$/m, 'so is one with a time')
  t.match(both, /COUNTERSIGN_SCENARIO must be a comma-separated list of names, not ',,'\.$/m, 'and every other')
})
