import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { build } from '../helper.js'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** Deeper than any call stack. */
const DEEP = 50_000
/** Over the size up to which a place in a file is looked for. */
const DEEP_AND_LARGE = 2_200_000
const KEYS = ['users', 'version', 'unknown']

t.test('a file that is nested deeply is named, whatever its size', async (t) => {
  const readers: Readonly<Record<string, readonly string[]>> = {
    'config.json': ['validate', '--config', 'config.json'],
    'fixtures.json': ['validate', '--fixtures', 'fixtures.json'],
    'values.json': ['verify', '--target', 'http://127.0.0.1:1', '--token', 'x', '--data', 'values.json'],
    'report.json': ['coverage', 'report.json'],
  }
  for (const [name, args] of Object.entries(readers)) {
    for (const levels of name === 'fixtures.json' ? [DEEP, DEEP_AND_LARGE] : [DEEP]) {
      const cwd = folder(t, { [name]: `{"version":1,"users":${nested(levels)}}` })
      const { code, err } = await run(t, args, { cwd })
      t.match(
        { code, err },
        {
          code: args[0] === 'verify' ? 2 : 1,
          err: new RegExp(`${name}: The content is nested more than 100 levels deep\\.$`, 'm'),
        },
        `${name}, ${levels} levels: it is said`,
      )
    }
  }
})

t.test('a body that is nested deeply is refused in clear words', async (t) => {
  const { app } = await build(t)
  const places = [
    'PUT /state',
    'PUT /clock',
    'PUT /scenarios/slow-everything',
    'POST /reset',
    'DELETE /mailpit/api/v1/messages',
  ]
  for (const place of places) {
    const [method, path] = place.split(' ') as ['PUT', string]
    for (const payload of [nested(DEEP), ...KEYS.map((key) => `{"${key}":${nested(DEEP)}}`)]) {
      const answer = await app.inject({ method, url: `/__admin${path}`, payload })
      const label = `${place} ${payload.slice(0, 20)}`
      t.ok(answer.statusCode < 500, `${label}: it is no failure of the mock`, { body: answer.body.slice(0, 300) })
      t.notMatch(answer.body, /call stack/, `${label}: it does not speak of a stack`)
    }
  }
})

t.test('a long list is quoted by its first items', async (t) => {
  const cwd = folder(t, {
    'fixtures.json': JSON.stringify({ version: Array.from({ length: 100_000 }, (_, at) => at) }),
  })
  const { err } = await run(t, ['validate', '--fixtures', 'fixtures.json'], { cwd })
  t.match(err, /'version' must be 1, not 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …\./, 'the others are left out')
})
