import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'

const CONFIG = 'countersign.config.yaml'
/** How many scenarios the package has. */
const shipped = readdirSync(new URL('../../fixtures/scenarios/', import.meta.url)).length

t.test('init writes files to start from, which are valid, served and never overwritten', async (t) => {
  const cwd = folder(t)
  const says = /wrote countersign\.config\.yaml\n[\s\S]*wrote scenarios\//
  t.match(await run(t, ['init'], { cwd }), { code: 0, out: says }, 'it says what it writes')
  t.match(
    await run(t, ['validate'], { cwd }),
    {
      code: 0,
      out: new RegExp(`No problems found: .*countersign\\.config\\.yaml, \\d+ fixtures, ${shipped + 1} scenarios`),
    },
    'what it writes is valid',
  )
  const { url, out } = await serve(t, [], { cwd })
  t.match(out(), /token-mine/, 'what it writes is served')
  const histories = (token: string) =>
    fetch(`${url}/api/v2/credits/histories`, { headers: { authorization: `Bearer ${token}` } })
  for (const token of ['token-mine', 'token-admin', 'token-member'])
    t.equal((await histories(token)).status, 400, `${token} is known`)
  const form = new FormData()
  form.append('file', new Blob([readFileSync('fixtures/files/verified.pdf')], { type: 'application/pdf' }), 'a.pdf')
  form.append('user_uuid', '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31')
  const verified = await fetch(`${url}/api/v2/verifications/document/verify?user_type=ENTERPRISE_API`, {
    method: 'POST',
    headers: { authorization: 'Bearer token-admin' },
    body: form,
  })
  t.equal(verified.status, 200, 'the default world is there, too')
  t.match(
    await run(t, ['init'], { cwd }),
    { code: 1, err: /Already exists: countersign\.config\.yaml.*\. Move them away first\./ },
    'what is there is not overwritten',
  )
})

t.test('what init writes is edited as a newcomer would', async (t) => {
  const cwd = folder(t)
  await run(t, ['init'], { cwd })
  const config = join(cwd, CONFIG)
  const written = readFileSync(config, 'utf8')
  for (const name of ['first-save-fails', 'addOrganizationMember:409', 'gateway:503']) {
    writeFileSync(config, written.replace(`#  - ${name}`, `  - ${name}`))
    t.match((await serve(t, [], { cwd })).out(), `\n  on             ${name}\n`, `${name} is on, uncommented`)
  }
})

t.test('init refers to the schemas where the package is installed, wherever that is', async (t) => {
  const schemas = (at: string) =>
    Object.fromEntries(
      ['config', 'scenario', 'fixtures'].map((name) => [`${at}/dist/schemas/${name}.schema.json`, '{}']),
    )
  for (const [what, at, inside] of [
    ['in the project', 'app/node_modules/countersign', true],
    ['above it, as workspaces have it', 'node_modules/countersign', true],
    ['nowhere', 'other/node_modules/countersign', false],
  ] as const) {
    const root = folder(t, schemas(at))
    const cwd = join(root, 'app')
    mkdirSync(cwd, { recursive: true })
    await run(t, ['init'], { cwd })
    for (const [file, pattern] of [
      ['countersign.config.yaml', /\$schema=(\S+)/],
      ['scenarios/first-save-fails.yaml', /\$schema=(\S+)/],
      ['countersign.fixtures.json', /"\$schema": "(.*)"/],
    ] as const) {
      const path = join(cwd, file)
      const [, reference] = pattern.exec(readFileSync(path, 'utf8')) ?? []
      if (inside)
        t.ok(reference && existsSync(join(dirname(path), reference)), `${what}: ${file} refers to ${reference}`)
      else t.equal(reference, undefined, `${what}: ${file} refers to nothing`)
    }
  }
})
