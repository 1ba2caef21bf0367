import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { verifyDocument } from '../../schemas/index.js'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fetched, requestOf } from '../helper.js'

/** How many scenarios the package has. */
const shipped = readdirSync(new URL('../../fixtures/scenarios/', import.meta.url)).length

t.test('init writes files to start from, which are valid, served and never overwritten', async (t) => {
  const cwd = folder(t)
  const written = /wrote countersign\.config\.yaml\n[\s\S]*wrote scenarios\//
  t.match(await run(t, ['init'], { cwd }), { code: 0, out: written }, 'it says what it writes')
  const valid = `No problems found: .*countersign\\.config\\.yaml, \\d+ fixtures, ${shipped + 1} scenarios`
  t.match(await run(t, ['validate'], { cwd }), { code: 0, out: new RegExp(valid) }, 'what it writes is valid')
  const { url, out } = await serve(t, [], { cwd })
  t.match(out(), /token-mine/, 'what it writes is served')
  for (const token of ['token-mine', 'token-admin', 'token-member']) {
    const headers = { authorization: `Bearer ${token}` }
    t.match(await fetched(`${url}/api/v2/credits/histories`, { headers }), { status: 400 }, `${token} is known`)
  }
  const { url: path, payload, ...rest } = requestOf(verifyDocument)
  const verified = await fetched(url + path, { ...rest, body: payload } as RequestInit)
  t.equal(verified.status, 200, 'the default world is there, too')
  const refused = { code: 1, err: /Already exists: countersign\.config\.yaml.*\. Move them away first\./ }
  t.match(await run(t, ['init'], { cwd }), refused, 'what is there is not overwritten')
})

t.test('init refers to the schemas where the package is installed, wherever that is', async (t) => {
  for (const [what, at, inside] of [
    ['in the project', 'app/node_modules/countersign', true],
    ['above it, as workspaces have it', 'node_modules/countersign', true],
    ['nowhere', 'other/node_modules/countersign', false],
  ] as const) {
    const schemas = ['config', 'scenario', 'fixtures'].map((name) => `${at}/dist/schemas/${name}.schema.json`)
    const cwd = join(folder(t, Object.fromEntries(schemas.map((path) => [path, '{}']))), 'app')
    mkdirSync(cwd, { recursive: true })
    await run(t, ['init'], { cwd })
    for (const file of ['countersign.config.yaml', 'scenarios/first-save-fails.yaml', 'countersign.fixtures.json']) {
      const path = join(cwd, file)
      const [, reference] = /\$schema(?:=|": ")([^\s"]+)/.exec(readFileSync(path, 'utf8')) ?? []
      if (inside) t.ok(reference && existsSync(join(dirname(path), reference)), `${what}: ${file}: ${reference}`)
      else t.equal(reference, undefined, `${what}: ${file} refers to nothing`)
    }
  }
})
