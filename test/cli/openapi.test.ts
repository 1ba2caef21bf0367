import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { run } from '../command-line.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

t.test('openapi prints the document, as the package ships it', async (t) => {
  const { out } = await run(t, ['openapi'])
  t.same(JSON.parse(out), JSON.parse(read('../../openapi.json')), 'it is the shipped document')
  t.equal(JSON.parse((await run(t, ['openapi', '--version', '3.0'])).out).openapi, '3.0.3', 'OpenAPI 3.0')
  t.same(parse((await run(t, ['openapi', '--yaml'])).out), JSON.parse(out), 'YAML says the same')
})
