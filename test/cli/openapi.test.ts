import { readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { run } from '../command-line.js'

t.test('openapi prints the document, as the package ships it', async (t) => {
  const openapi = async (...args: string[]) => parse((await run(t, ['openapi', ...args])).out)
  const shipped = JSON.parse(readFileSync('openapi.json', 'utf8'))
  t.same(JSON.parse((await run(t, ['openapi'])).out), shipped, 'it is the shipped document')
  t.same(await openapi('--yaml'), shipped, 'YAML says the same')
  t.equal((await openapi('--version', '3.0')).openapi, '3.0.3', 'OpenAPI 3.0 is had by --version')
})
