import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const DEEP = 50_000
/** Makes the file so large that its position is not searched. */
const DEEP_AND_LARGE = 2_200_000

t.test('data nested too deeply is reported, even if it is large', async (t) => {
  for (const [line, levels, code] of [
    ['validate --config it.json', DEEP, 1],
    ['validate --fixtures it.json', DEEP, 1],
    ['validate --fixtures it.json', DEEP_AND_LARGE, 1],
    ['verify --target http://127.0.0.1:1 --token x --data it.json', DEEP, 2],
    ['coverage it.json', DEEP, 1],
  ] as const) {
    const cwd = folder(t, { 'it.json': `{"version":1,"users":${nested(levels)}}` })
    const err = /it\.json: The content is nested more than 100 levels deep, or has /m
    t.match(await run(t, line.split(' '), { cwd }), { code, err }, `${line}, ${levels} levels`)
  }
})

t.test('a YAML file that is nested too deeply is reported at once', async (t) => {
  const blocks = Array.from({ length: 990 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')
  for (const text of [blocks, `a: ${'? '.repeat(1_500)}b`]) {
    const cwd = folder(t, { 'users.yaml': text, 'counters.yaml': text })
    const err = /nested more than 100 levels deep/
    t.match(await run(t, ['validate', '--fixtures', '.'], { cwd }), { code: 1, err })
  }
})

t.test('a file that is not in UTF-8 is reported, not guessed', async (t) => {
  for (const [encoding, at, mark] of [
    ['latin1', 28, ''],
    ['utf16le', 1, '\ufeff'],
    ['utf16le', 2, ''],
  ] as const) {
    const message = `it.json:1:${at}: The file is not in UTF-8: save it as UTF-8.`
    const cwd = folder(t)
    writeFileSync(join(cwd, 'it.json'), `${mark}{"users":[{"first_name":"Zoë"}]}`, encoding)
    t.match(await run(t, ['validate', '--fixtures', 'it.json'], { cwd }), { code: 1, err: message }, encoding)
  }
})
