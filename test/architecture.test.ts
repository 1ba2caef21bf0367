import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('..', import.meta.url))

/** One import, or re-export, of one file. */
interface Import {
  readonly from: string
  /** A file of ours, from the package's folder on, or a package's name. */
  readonly to: string
  readonly kind: 'value' | 'type' | 'dynamic'
}

const files = ['schemas', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const STATIC = /^(?:import|export)\b(\s+type\b)?[^;'"`]*?\bfrom\s*'([^']+)'|^import\s*'([^']+)'/gm
const DYNAMIC = /(?<!typeof )\bimport\(\s*'([^']+)'\s*\)/g

const imports: readonly Import[] = files.flatMap((from) => {
  const text = texts.get(from) as string
  const resolve = (name: string) =>
    name.startsWith('.') ? normalize(join(dirname(from), name)).replace(/\.js$/, '.ts') : name
  return [
    ...Array.from(text.matchAll(STATIC), ([, type, name, bare]) => ({
      from,
      to: resolve((name ?? bare) as string),
      kind: type === undefined ? ('value' as const) : ('type' as const),
    })),
    ...Array.from(text.matchAll(DYNAMIC), ([, name]) => ({
      from,
      to: resolve(name as string),
      kind: 'dynamic' as const,
    })),
  ]
})

const ours = imports.filter(({ to }) => /^(src|schemas)\//.test(to))
const packages = imports.filter(({ to }) => !/^(src|schemas)\/|^node:/.test(to))
const inWords = (found: readonly Import[]) => found.map(({ from, to, kind }) => `${from} imports ${to} (${kind})`)

/** From the bottom to the top (design, section 2); a file of src that is not named here is of the layer 'world'. */
const layers: readonly (readonly [name: string, files: RegExp])[] = [
  ['schemas', /^schemas\//],
  [
    'words',
    /^src\/(chance|check|clock|digest|image|markup|package-root|pdf|source-file|violations|watch|words|yaml|faker)\.ts$/,
  ],
  ['state', /^src\/(state\/.*|outbox|mail|mailer)(\.ts)?$/],
  ['world', /^(?!)/],
  ['http', /^src\/http\//],
  ['app', /^src\/app\.ts$/],
  ['server', /^src\/(server|live)\.ts$/],
  ['mock', /^src\/mock\.ts$/],
  ['commands', /^src\/commands\//],
  ['main', /^src\/(main|cli|index)\.ts$/],
]
const WORLD = layers.findIndex(([name]) => name === 'world')

function layerOf(file: string): number {
  const layer = layers.findIndex(([, pattern]) => pattern.test(file))
  return layer < 0 ? WORLD : layer
}

t.test('the imports are found', async (t) => {
  t.ok(ours.length > 200 && packages.length > 20, 'many imports are found')
  t.same(inWords(ours.filter(({ to }) => !files.includes(to))), [], 'each leads to a file of ours')
})

t.test('no import points upwards', async (t) => {
  t.same(
    inWords(ours.filter(({ from, to }) => layerOf(from) < layerOf(to))),
    [],
    'each layer imports what is below it only',
  )
})

t.test('no two files load each other', async (t) => {
  const loads = ours.filter(({ kind }) => kind === 'value')
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (path.includes(file) || done.has(file)) return
    for (const { from, to } of loads) if (from === file) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  t.same(cycles, [], 'there is no cycle')
})

t.test('the schemas import nothing but TypeBox and each other', async (t) => {
  const ofSchemas = imports.filter(({ from }) => from.startsWith('schemas/'))
  t.same(
    inWords(ofSchemas.filter(({ to }) => to !== '@sinclair/typebox' && !to.startsWith('schemas/'))),
    [],
    'there is no other import',
  )
})

t.test('the handlers know nothing of HTTP', async (t) => {
  const ofHandlers = imports.filter(({ from }) => /^src\/(handlers\/|handler\.ts|invitation\.ts)/.test(from))
  t.same(inWords(ofHandlers.filter(({ to }) => /fastify|^src\/http|^node:http/.test(to))), [], 'no handler imports it')
})

t.test('only http and app.ts import Fastify; whoever composes the server may name its types', async (t) => {
  const outside = packages.filter(({ from, to }) => /fastify/.test(to) && !/^src\/(http\/|app\.ts)/.test(from))
  t.same(
    inWords(outside.filter(({ from, kind }) => kind !== 'type' || !/^src\/(server|live)\.ts$/.test(from))),
    [],
    'no other file imports Fastify',
  )
})

t.test('what describes the contract runs without state, worlds and Fastify', async (t) => {
  const describers = imports.filter(({ from }) => /^src\/(openapi|coverage)\b/.test(from))
  t.ok(describers.length > 0, 'what describes the contract is found')
  const allowed = /^schemas\/|^src\/(openapi\/|words\.ts|markup\.ts)|^@sinclair\/typebox$/
  t.same(inWords(describers.filter(({ to }) => !allowed.test(to))), [], 'there is no other import')
})

t.test('starting loads nothing optional', async (t) => {
  const loaded = new Set(['src/cli.ts', 'src/main.ts', 'src/commands/start.ts'])
  for (const file of loaded) {
    for (const { from, to, kind } of imports) if (from === file && kind === 'value') loaded.add(to)
  }
  t.ok(loaded.has('src/server.ts') && loaded.has('fastify'), 'the server is loaded')
  for (const name of ['yaml', 'unpdf', 'nodemailer', 're2js', '@faker-js/faker', 'faker'])
    t.notOk(loaded.has(name), `${name} is not loaded`)
})

t.test('only cli.ts and main.ts print and exit', async (t) => {
  const speaks = /\bprocess\.exit\(|\bprocess\.std(?:out|err)\.write\(|\bconsole\.\w+\(/
  const speakers = files.filter((file) => speaks.test(texts.get(file) as string))
  t.same(
    speakers.filter((file) => !/^src\/(cli|main)\.ts$/.test(file)),
    [],
    'no other file does',
  )
})
