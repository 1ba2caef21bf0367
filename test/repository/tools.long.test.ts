import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { copyOf, runProgram, typeErrors } from './copies.js'

const checks = readdirSync('src/api')
  .map((name) => `src/api/${name}/verify-checks.ts`)
  .filter((file) => existsSync(file))

const inSource = (file: string) => `src/${file}`

/** Each tool with its commands, and the files that only it needs. */
const tools: Readonly<Record<string, { readonly commands?: readonly string[]; readonly files?: readonly string[] }>> = {
  coverage: { commands: ['exec', 'coverage'] },
  dashboard: { files: ['src/api/dashboard.ts'] },
  forward: {},
  integrations: {
    files: ['index.ts', 'integrations.ts', 'types.ts', 'server/in-process.ts', 'api/sandbox-handle.ts'].map(inSource),
  },
  mutate: { commands: ['mutate'], files: ['src/cli/mutate-runs.ts'] },
  openapi: { commands: ['openapi'] },
  verify: { commands: ['verify'], files: ['src/api/verify.ts', ...checks] },
}

const PROGRAM = `
  import { api } from './src/api/index.js'
  import { createServer } from './src/server/create-server.js'
  import { resolveSettings } from './src/server/settings.js'
  const settings = resolveSettings(api, {}, {}, { file: undefined, config: { port: 0, watch: false } })
  const { app, listen, close } = await createServer(api, settings)
  const url = await listen()
  const headers = { authorization: 'Bearer token-admin' }
  const ask = async (path) => (await fetch(url + path, { headers })).status
  console.log(await ask('/api/v2/projects/protect?user_type=ENTERPRISE_API&keyword%5Bsample_1%5D=lease'),
    await ask('/__admin/requests'), await ask('/~a/__admin/state'))
  await close()`

/** Deletes these tools with their commands and files; the rest must compile and serve. */
function compilesWithout(t: Test, names: readonly string[]): void {
  const copy = copyOf(t)
  const edit = (file: string, change: (text: string) => string) =>
    writeFileSync(join(copy, file), change(readFileSync(join(copy, file), 'utf8')))
  for (const tool of names) {
    const { commands = [], files = [] } = tools[tool] ?? {}
    const deleted = [`src/tools/${tool}`, ...commands.map((one) => `src/cli/${one}.ts`), ...files]
    for (const one of deleted) rmSync(join(copy, one), { recursive: true })
    const name = `${tool[0]?.toUpperCase()}${tool.slice(1)}`
    edit('src/server/tools.ts', (text) =>
      text
        .replaceAll(new RegExp(`^import .*/tools/${tool}/.*\\n`, 'gm'), '')
        .replaceAll(new RegExp(`^  ${tool}Tool,\\n|\\.\\.\\.${tool}Tool\\.options`, 'gm'), '')
        .replaceAll(new RegExp(`${name}(?:Parts|Settings) & | & ${name}(?:Parts|Settings)`, 'g'), '')
        .replace(`= ${name}Parts`, '= object'),
    )
    edit('src/api/for-tools.ts', (text) => text.replaceAll(new RegExp(`^  ${tool}: .*\\n`, 'gm'), ''))
    for (const command of commands)
      edit('src/cli/commands.ts', (text) => text.replace(new RegExp(`^  ${command}: \\{[^}]*\\},\\n`, 'm'), ''))
  }
  for (const tool of names) t.notOk(existsSync(join(copy, `src/tools/${tool}`)), 'its folder is deleted')
  t.equal(typeErrors(copy, ['src', 'schemas']), '', 'the rest compiles')
  t.equal(runProgram(copy, PROGRAM), '200 200 200', 'the rest serves')
}

for (const names of [Object.keys(tools), ...Object.keys(tools).map((tool) => [tool])])
  t.test(`without ${names.join(', ')}, the rest compiles and serves`, async (t) => compilesWithout(t, names))
