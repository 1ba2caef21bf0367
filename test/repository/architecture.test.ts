import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { collections } from '../../src/api/records.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Import {
  readonly from: string
  /** A file's path from the package's folder on, or a package's name. */
  readonly to: string
  readonly kind: 'value' | 'type' | 'dynamic'
}

const files = ['schemas', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    // Types in .d.ts files are shipped unchanged, beside the entry point that they describe.
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
)
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const STATIC = /^(?:import|export)\b(\s+type\b)?[^;'"`]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'/gm
const DYNAMIC = /(?<!typeof )\bimport\(\s*'([^']+)'\s*\)/g

const imports: readonly Import[] = files.flatMap((from) => {
  const text = texts.get(from) as string
  const resolve = (name: string) => {
    if (!name.startsWith('.')) return name
    const file = normalize(join(dirname(from), name)).replace(/\.js$/, '.ts')
    return texts.has(`${file}x`) ? `${file}x` : file
  }
  const one = (kind: Import['kind'], name = '') => ({ from, to: resolve(name), kind })
  return [
    ...Array.from(text.matchAll(STATIC), ([, type, name, bare]) => one(type ? 'type' : 'value', name ?? bare)),
    ...Array.from(text.matchAll(DYNAMIC), ([, name]) => one('dynamic', name)),
  ]
})

const ours = imports.filter(({ to }) => /^(src|schemas)\//.test(to))

/**
 * Each folder, and the folders that it may import besides itself (docs/architecture.md). Tools do not import each other.
 * In the engine, a folder may import the folders listed after it.
 */
const TOOLS = ['coverage', 'dashboard', 'forward', 'integrations', 'mutate', 'openapi', 'verify']
const ENGINE = ['http', 'sandbox', 'journal', 'judge', 'files', 'contract'].map((folder) => `src/engine/${folder}`)
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  schemas: ['src/engine/contract'],
  'src/api': ['schemas', ...ENGINE, 'src/engine'],
  'src/engine': ENGINE,
  ...Object.fromEntries(ENGINE.map((folder, at) => [folder, ENGINE.slice(at + 1)])),
  ...Object.fromEntries(
    TOOLS.map((tool) => [`src/tools/${tool}`, [...ENGINE, 'src/engine', 'src/tools/http', 'src/tools/report']]),
  ),
  'src/tools/http': [...ENGINE, 'src/engine'],
  'src/tools/report': [...ENGINE, 'src/engine'],
  'src/server': [...ENGINE, 'src/engine'],
  'src/cli': [...ENGINE, 'src/engine', 'src/server', ...TOOLS.map((tool) => `src/tools/${tool}`), 'src/tools/report'],
}

/** Files that every folder may import. */
const SHARED = ['src/package-root.ts', 'src/engine/html.ts', 'src/engine/timers.ts']
/** Further files that http may import. */
const FOR_HTTP = ['src/engine/api.ts', 'src/engine/operation.ts']
/** Files of the server that may import tools. */
const WITH_TOOLS = ['src/server/tools.ts', 'src/server/in-process.ts']

const ENTRY_POINTS = ['src/cli.ts', 'src/index.ts', 'src/integrations.ts', 'src/types.ts']

/** The deepest folder of the table that contains a file. */
const folderOf = (file: string) => {
  const folders = file.split('/').slice(0, -1)
  const paths = folders.map((_, at) => folders.slice(0, at + 1).join('/')).reverse()
  return paths.find((path) => path in allowedImports)
}

/** A browser cannot load Node's modules, and should not load these packages. */
const loadsServerCode = (file: string) =>
  [...reachedFrom([file], isLoaded)].some((name) => /^(node:|fastify|@fastify|ajv|yaml|undici|lowdb|re2js)/.test(name))

function reachedFrom(files: readonly string[], follows: (one: Import) => boolean): Set<string> {
  const reached = new Set(files)
  for (const file of reached) for (const one of imports) if (one.from === file && follows(one)) reached.add(one.to)
  return reached
}
const isLoaded = ({ kind }: Import) => kind === 'value'

function expectNone(t: Test, found: readonly Import[], message: string) {
  t.same(
    found.map(({ from, to, kind }) => `${from} imports ${to} (${kind})`),
    [],
    message,
  )
}

function isAllowed({ from, to, kind }: Import): boolean {
  const [folder, imported] = [folderOf(from) as string, folderOf(to)]
  if (imported === folder || SHARED.includes(to)) return true
  // Code for the browser may import types, and files that a browser can load.
  if (from.startsWith('src/tools/dashboard/browser/') && kind !== 'type' && loadsServerCode(to)) return false
  if (folder === 'src/engine/http' && FOR_HTTP.includes(to)) return true
  if (WITH_TOOLS.includes(from) && to.startsWith('src/tools/')) return true
  // A file for one tool, such as the checks of verify, may import that tool's types.
  if (folder === 'src/api' && to.startsWith('src/tools/')) return kind === 'type'
  return (allowedImports[folder] ?? []).includes(imported as string)
}

t.test('every file is in a folder of the import table', async (t) => {
  const inFolders = files.filter((file) => ![...ENTRY_POINTS, 'src/package-root.ts'].includes(file))
  const used = [...new Set(inFolders.map((file) => folderOf(file) ?? file))]
  t.same(used.sort(), Object.keys(allowedImports).sort(), 'no file is outside, and no folder is empty')
})

t.test('a folder imports only what the import table allows', async (t) => {
  const fromFolders = ours.filter(({ from }) => folderOf(from) !== undefined)
  const forbidden = fromFolders.filter((one) => !isAllowed(one))
  expectNone(t, forbidden, 'every import is allowed, type imports included')
  const ofEntryPoints = ours.filter(({ to }) => ENTRY_POINTS.includes(to))
  expectNone(t, ofEntryPoints, 'no file imports an entry point')
  const ofApi = ours.filter(({ from, to }) => to === 'src/api/index.ts' && !ENTRY_POINTS.includes(from))
  expectNone(t, ofApi, 'only entry points import the API')
})

t.test('imports form no cycle, type imports included', async (t) => {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const { from, to } of ours) if (from === file) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  t.same(cycles, [], 'there is no cycle')
})

t.test('only http, the app and plugins of tools use Fastify', async (t) => {
  const mayUse = /^src\/(engine\/(http\/|app\.ts)|tools\/\w+\/plugin\.ts)/
  const outside = imports
    .filter(({ from, to }) => /fastify|busboy/.test(to) && !mayUse.test(from))
    .filter(({ kind }) => kind !== 'type')
  expectNone(t, outside, 'other files import only its types')
})

/** Words of the API document that generic code must not use: its operations, collections, values and ids. */
function wordsOfTheApi(): RegExp {
  const values = ['user_type', 'user-token', 'ENTERPRISE_API', 'manage_sub_organization_members']
  // These collections have everyday words as names.
  const plain = ['users', 'documents', 'projects', 'signatures']
  const names = [...contracts.map(({ id }) => id), ...collections.map(({ name }) => name), ...values]
  return new RegExp(
    `\\b(?:${names.filter((name) => !plain.includes(name)).join('|')}|S[\\dA-Z]\\.\\d+|I-\\d\\d)\\b`,
    'g',
  )
}

t.test('engine, tools, server and command line use no word of the API document', async (t) => {
  const generic = files.filter((file) => /^src\/(engine|tools|server|cli)\//.test(file))
  const words = wordsOfTheApi()
  const found = generic.flatMap((file) =>
    Array.from((texts.get(file) as string).matchAll(words), ([word]) => `${file}: ${word}`),
  )
  t.same(found, [], 'no operation, rule, parameter, header for tokens, collection or value')
})

t.test('the engine uses no word of its tools', async (t) => {
  const words = /\b\w*(?:mutant|coverage|(?<!type-)provider(?!-typebox))\w*\b/gi
  const found = files
    .filter((file) => file.startsWith('src/engine/'))
    .flatMap((file) => {
      const code = (texts.get(file) as string).replaceAll(/TypeBoxTypeProvider|withTypeProvider/g, '')
      return (code.match(words) ?? []).map((word) => `${file}: ${word}`)
    })
  t.same(found, [], 'no mutant, coverage or provider')
})

t.test('no two types have the same name', async (t) => {
  const written = files.filter((file) => file !== 'schemas/plain.ts')
  const declared = written.flatMap((file) =>
    Array.from(
      (texts.get(file) as string).matchAll(/^(?:export )?(?:interface|type|class) (\w+)\b(?!.*\bfrom\b)/gm),
      ([, name]) => name,
    ),
  )
  const repeated = declared.filter((name, at) => declared.indexOf(name) !== at)
  t.same(repeated, [], 'each type is declared once')
})

t.test('starting the server loads no optional module', async (t) => {
  const loaded = reachedFrom(['src/cli.ts', 'src/cli/main.ts', 'src/cli/start.ts', 'src/api/index.ts'], isLoaded)
  t.ok(loaded.has('src/server/create-server.ts') && loaded.has('fastify'), 'the server is loaded')
  const optional = ['yaml', 'src/api/seed.ts', 'src/api/verify.ts', 'nodemailer', 're2js', '@faker-js/faker', 'faker']
  for (const name of ['src/tools/http/client.ts', 'src/tools/forward/forwarder.ts', 'node:https', ...optional])
    t.notOk(loaded.has(name), `${name} is not loaded`)
})

t.test('importing the package loads no server', async (t) => {
  const loaded = reachedFrom(['src/index.ts', 'src/integrations.ts'], isLoaded)
  for (const name of ['src/server/create-server.ts', 'src/engine/app.ts', 'fastify', 'ajv', 'msw', 'vitest'])
    t.notOk(loaded.has(name), `${name} is not loaded`)
})

t.test('only the command line prints and exits', async (t) => {
  const prints = /\bprocess\.exit\(|\bprocess\.std(?:out|err)\.write\(|\bconsole\.\w+\(/
  const printing = files.filter((file) => prints.test(texts.get(file) as string))
  // cli.ts reports an old Node before it loads the rest; a fixture of Playwright can only print to the console.
  t.same(printing, ['src/cli.ts', 'src/cli/main.ts', 'src/tools/integrations/playwright.ts'], 'no other file does')
})
