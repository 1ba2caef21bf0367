import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

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
 * The rooms of src, and what each may import besides schemas and package-root.ts (docs/architecture.md); `mock/*` is the
 * mock with all its rooms. Files of `tools/` itself are shared by tools, which do not know each other.
 */
const rooms: Readonly<Record<string, readonly string[]>> = {
  'mock/text': [],
  'mock/validation': ['mock/text'],
  'mock/sandbox': ['mock/validation', 'mock/text'],
  'mock/operations': ['mock/sandbox', 'mock/validation', 'mock/text'],
  'mock/http': ['mock/operations', 'mock/sandbox', 'mock/validation', 'mock/text'],
  mock: ['mock/*'],
  tools: ['mock/*'],
  'tools/coverage': ['tools', 'mock/*'],
  'tools/dashboard': ['tools', 'mock/*'],
  'tools/forward': ['tools', 'mock/*'],
  'tools/integrations': ['tools', 'mock/*'],
  'tools/mutate': ['tools', 'mock/*'],
  'tools/openapi': ['tools', 'mock/*'],
  'tools/verify': ['tools', 'mock/*'],
  server: ['mock/*', 'tools/*'],
  cli: ['server', 'mock/*', 'tools/*'],
}

const ENTRY_POINTS = ['src/cli.ts', 'src/index.ts', 'src/package-root.ts']

/** The folder of the table that a file stands in: the deepest one. */
const roomOf = (file: string) => {
  const folders = file.split('/').slice(1, -1)
  const paths = folders.map((_, at) => folders.slice(0, at + 1).join('/')).reverse()
  return paths.find((path) => path in rooms)
}

const bringsMore = (file: string) => imports.some(({ from, kind }) => from === file && kind !== 'type')

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
  // It runs in a browser: of all else it knows the types, and what brings nothing with it.
  if (from.startsWith('src/tools/dashboard/browser/') && other !== room) return kind === 'type' || !bringsMore(to)
  if (to.startsWith('schemas/') || to === 'src/package-root.ts' || other === room) return true
  const isNamed = (one: string) => one === other || (one.endsWith('/*') && `${other}/`.startsWith(one.slice(0, -1)))
  return (rooms[room] ?? []).some(isNamed)
}

t.test('every file stands in a room', async (t) => {
  const inRooms = files.filter((file) => !file.startsWith('schemas/') && !ENTRY_POINTS.includes(file))
  const used = [...new Set(inRooms.map((file) => roomOf(file) ?? file))]
  t.same(used.sort(), Object.keys(rooms).sort(), 'every file in one of the table, and no room is empty')
})

t.test('a room imports only what the table allows', async (t) => {
  const fromRooms = ours.filter(({ from }) => roomOf(from) !== undefined)
  const barred = fromRooms.filter((one) => !isAllowed(one))
  none(t, barred, 'every import of a room, type imports included')
  const ofEntryPoints = ours.filter(({ to }) => to === 'src/index.ts' || to === 'src/cli.ts')
  none(t, ofEntryPoints, 'the entry points are not imported')
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

t.test('the schemas import nothing but TypeBox and each other', async (t) => {
  const ofSchemas = imports.filter(({ from }) => from.startsWith('schemas/'))
  const others = ofSchemas.filter(({ to }) => to !== '@sinclair/typebox' && !to.startsWith('schemas/'))
  none(t, others, 'there is no other import')
})

t.test('only http, the app and plugins of tools know Fastify', async (t) => {
  const knows = /^src\/(mock\/http\/|mock\/app\.ts|tools\/\w+\/plugin\.ts)/
  const outside = imports
    .filter(({ from, to }) => /fastify|busboy/.test(to) && !knows.test(from))
    .filter(({ from, kind }) => !(kind === 'type' && from.startsWith('src/server/')))
  none(t, outside, 'no other file imports it, but the server names types')
})

t.test('the mock holds no word of its tools', async (t) => {
  const words = /\b\w*(?:mutant|coverage|(?<!type-)provider(?!-typebox))\w*\b/gi
  const found = files
    .filter((file) => file.startsWith('src/mock/'))
    .flatMap((file) => {
      const code = (texts.get(file) as string).replaceAll(/TypeBoxTypeProvider|withTypeProvider/g, '')
      return (code.match(words) ?? []).map((word) => `${file}: ${word}`)
    })
  // The text reader hides lines with secrets, of which one is the provider's token.
  t.same(found, ['src/engine/files/source-file.ts: provider'], 'neither of mutants, nor of coverage or providers')
})

t.test('no type has the name of another', async (t) => {
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

t.test('starting loads nothing optional', async (t) => {
  const loaded = reachedFrom(['src/cli.ts', 'src/cli/main.ts', 'src/cli/start.ts'], isLoaded)
  t.ok(loaded.has('src/server/create-server.ts') && loaded.has('fastify'), 'the server is loaded')
  const optional = ['yaml', 'nodemailer', 're2js', '@faker-js/faker', 'faker']
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
  // An older Node is told which one is needed before anything else is loaded.
  t.same(speakers, ['src/cli.ts', 'src/cli/main.ts'], 'no other file does')
})
