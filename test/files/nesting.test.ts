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
  for (const [line, levels, code] of [
    ['validate --config it.json', DEEP, 1],
    ['validate --fixtures it.json', DEEP, 1],
    ['validate --fixtures it.json', DEEP_AND_LARGE, 1],
    ['verify --target http://127.0.0.1:1 --token x --data it.json', DEEP, 2],
    ['coverage it.json', DEEP, 1],
  ] as const) {
    const cwd = folder(t, { 'it.json': `{"version":1,"users":${nested(levels)}}` })
    const err = /it\.json: The content is nested more than 100 levels deep\.$/m
    t.match(await run(t, line.split(' '), { cwd }), { code, err }, `${line}, ${levels} levels`)
  }
})

t.test('a body that is nested deeply is refused in clear words', async (t) => {
  const { app } = await build(t)
  for (const [method, path] of [
    ['PUT', '/state'],
    ['PUT', '/clock'],
    ['PUT', '/scenarios/slow-everything'],
    ['POST', '/reset'],
  ] as const) {
    for (const payload of [nested(DEEP), ...KEYS.map((key) => `{"${key}":${nested(DEEP)}}`)]) {
      const { statusCode, body } = await app.inject({ method, url: `/__admin${path}`, payload })
      const label = `${method} ${path} ${payload.slice(0, 20)}`
      t.ok(statusCode < 500, `${label}: it is no failure of the mock`, { body: body.slice(0, 300) })
      t.notMatch(body, /call stack/, `${label}: it does not speak of a stack`)
    }
  }
})
