import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { collections } from '../../src/api/records.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Import {
  readonly from: string
  /** A file of ours, from the package's folder on, or a package's name. */
  readonly to: string
  readonly kind: 'value' | 'type' | 'dynamic'
}

const files = ['schemas', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    // Types that are shipped as they are written are beside the entry point that they describe.
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
 * The rooms, and what each may import besides itself and package-root.ts (docs/architecture.md). Tools do not know each
 * other. Within the engine, a room may import those that stand after it.
 */
const TOOLS = ['coverage', 'dashboard', 'forward', 'integrations', 'mutate', 'openapi', 'verify']
const ENGINE = ['http', 'sandbox', 'journal', 'judge', 'files', 'contract'].map((room) => `src/engine/${room}`)
const rooms: Readonly<Record<string, readonly string[]>> = {
  schemas: ['src/engine/contract'],
  'src/api': ['schemas', ...ENGINE, 'src/engine'],
  'src/engine': ENGINE,
  ...Object.fromEntries(ENGINE.map((room, at) => [room, ENGINE.slice(at + 1)])),
  ...Object.fromEntries(
    TOOLS.map((tool) => [`src/tools/${tool}`, [...ENGINE, 'src/engine', 'src/tools/http', 'src/tools/report']]),
  ),
  'src/tools/http': [...ENGINE, 'src/engine'],
  'src/tools/report': [...ENGINE, 'src/engine'],
  'src/server': [...ENGINE, 'src/engine'],
  'src/cli': [...ENGINE, 'src/engine', 'src/server', ...TOOLS.map((tool) => `src/tools/${tool}`), 'src/tools/report'],
}

/** Files of the engine that each of its rooms may import. */
const IN_EVERY_ROOM = ['src/engine/html.ts', 'src/engine/timers.ts']
/** What http knows of what it serves. */
const SERVED = ['src/engine/api.ts', 'src/engine/operation.ts']
/** Where the tools are registered, and the server that a program starts in its own process. */
const WITH_TOOLS = ['src/server/tools.ts', 'src/server/in-process.ts']

const ENTRY_POINTS = ['src/cli.ts', 'src/index.ts', 'src/integrations.ts', 'src/types.ts']

/** The folder of the table that a file stands in: the deepest one. */
const roomOf = (file: string) => {
  const folders = file.split('/').slice(0, -1)
  const paths = folders.map((_, at) => folders.slice(0, at + 1).join('/')).reverse()
  return paths.find((path) => path in rooms)
}

/** What no browser has, or should load. */
const bringsMore = (file: string) =>
  [...reachedFrom([file], isLoaded)].some((one) => /^(node:|fastify|@fastify|ajv|yaml|undici|lowdb|re2js)/.test(one))

function reachedFrom(files: readonly string[], counts: (one: Import) => boolean): Set<string> {
  const reached = new Set(files)
  for (const file of reached) for (const one of imports) if (one.from === file && counts(one)) reached.add(one.to)
  return reached
}
const isLoaded = ({ kind }: Import) => kind === 'value'

function none(t: Test, found: readonly Import[], what: string) {
  t.same(
    found.map(({ from, to, kind }) => `${from} imports ${to} (${kind})`),
    [],
    what,
  )
}

function isAllowed({ from, to, kind }: Import): boolean {
  const [room, other] = [roomOf(from) as string, roomOf(to)]
  if (other === room || to === 'src/package-root.ts' || IN_EVERY_ROOM.includes(to)) return true
  // Code for the browser may import types, and files that import nothing more.
  if (from.startsWith('src/tools/dashboard/browser/') && kind !== 'type' && bringsMore(to)) return false
  if (room === 'src/engine/http' && SERVED.includes(to)) return true
  if (WITH_TOOLS.includes(from) && to.startsWith('src/tools/')) return true
  // A file that serves one tool, such as the checks of verify, may import that tool's types.
  if (room === 'src/api' && to.startsWith('src/tools/')) return kind === 'type'
  return (rooms[room] ?? []).includes(other as string)
}

t.test('every file is in a folder of the table', async (t) => {
  const inRooms = files.filter((file) => ![...ENTRY_POINTS, 'src/package-root.ts'].includes(file))
  const used = [...new Set(inRooms.map((file) => roomOf(file) ?? file))]
  t.same(used.sort(), Object.keys(rooms).sort(), 'every file in one of the table, and no room is empty')
})

t.test('a folder imports only what the table allows', async (t) => {
  const fromRooms = ours.filter(({ from }) => roomOf(from) !== undefined)
  const barred = fromRooms.filter((one) => !isAllowed(one))
  none(t, barred, 'every import of a room, type imports included')
  const ofEntryPoints = ours.filter(({ to }) => ENTRY_POINTS.includes(to))
  none(t, ofEntryPoints, 'the entry points are not imported')
  const puttingIn = ours.filter(({ from, to }) => to === 'src/api/index.ts' && !ENTRY_POINTS.includes(from))
  none(t, puttingIn, 'the API is put in by entry points alone')
})

t.test('no two files import each other, not even types', async (t) => {
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
  const knows = /^src\/(engine\/(http\/|app\.ts)|tools\/\w+\/plugin\.ts)/
  const outside = imports
    .filter(({ from, to }) => /fastify|busboy/.test(to) && !knows.test(from))
    .filter(({ kind }) => kind !== 'type')
  none(t, outside, 'no other file imports more of it than types')
})

/** Words of the document that generic code must not say: ids of rules and operations, and names of its values. */
function wordsOfTheApi(): RegExp {
  const values = ['user_type', 'user-token', 'ENTERPRISE_API', 'manage_sub_organization_members']
  // Some collections have plain words for names.
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
  t.same(found, [], 'neither of mutants, nor of coverage or providers')
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
  const speaks = /\bprocess\.exit\(|\bprocess\.std(?:out|err)\.write\(|\bconsole\.\w+\(/
  const speakers = files.filter((file) => speaks.test(texts.get(file) as string))
  // cli.ts reports an old Node before it loads the rest; a fixture of Playwright has no other way to print.
  t.same(speakers, ['src/cli.ts', 'src/cli/main.ts', 'src/tools/integrations/playwright.ts'], 'no other file does')
})
