import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
/** Deeper than any call stack. */
const DEEP = 50_000
/** Over the size up to which a place in a file is looked for. */
const DEEP_AND_LARGE = 2_200_000

t.test('a deeply nested file of any size is named', async (t) => {
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
