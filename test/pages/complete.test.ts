import { existsSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import { interpretations } from '../../schemas/interpretations.js'
import { api } from '../../src/api/index.js'
import { fixturesFormat } from '../../src/engine/files/collections.js'
import { FAULTS, scenarioFormat } from '../../src/engine/files/scenario.js'
import * as programs from '../../src/index.js'
import { startMockServer } from '../../src/index.js'
import { configSchemaFor } from '../../src/server/config-file.js'
import { launch } from '../binary.js'
import { run } from '../command-line.js'
import { pages, textOf } from './pages.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const contributors = ['CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/architecture.md']

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): string[] {
  const headings = textOf(page)
    .toLowerCase()
    .matchAll(/^#+ (.+)$/gm)
  return Array.from(headings, ([, heading = '']) => heading.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-'))
}

t.test('every link has a target, in the package as well', async (t) => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const { out } = await launch(t, 'npm', pack, { cwd: root }).ended
  const [{ files }] = JSON.parse(out) as [{ files: { path: string }[] }]
  const packed = files.map(({ path }) => path)
  for (const page of [...pages, ...contributors]) {
    for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
      t.ok(existsSync(join(root, file)), `${page}: ${target}`)
      if (anchor !== undefined) t.ok(anchorsOf(file).includes(anchor), `${page}: ${target} is a heading`)
      const isPacked = packed.some((one) => one === file || one.startsWith(`${file}/`))
      if (packed.includes(page)) t.ok(isPacked, `${page}: ${target} is in the package`)
    }
  }
})

t.test('no page installs a package that is not published', async (t) => {
  const tarball = `../countersign/countersign-${JSON.parse(textOf('package.json')).version}.tgz`
  for (const page of [...pages, ...contributors, 'action.yml'])
    for (const [line, what = ''] of textOf(page).matchAll(/npm (?:install|i)(?: -D| --save-dev)? (\S*countersign\S*)/g))
      t.equal(what.replace(/`.*/, ''), tarball, `${page}: ${line}`)
})

t.test('every page is reached from the README', async (t) => {
  const reached = new Set(['README.md'])
  for (const page of reached) {
    for (const [, target = ''] of textOf(page).matchAll(/\]\((?!https?:)([^)#\s]+\.md)/g))
      reached.add(normalize(join(dirname(page), target)))
  }
  for (const page of pages) t.ok(reached.has(page), page)
})

const RULE = scenarioFormat(contracts).rule.properties

const namesByPage: Readonly<Record<string, readonly string[]>> = {
  'README.md': contracts.map(({ id }) => id),
  'docs/ci.md': ['violations', 'violations:all', 'unmatched', 'deviations', 'unused'],
  'docs/scenarios.md': [
    ...readdirSync(join(root, 'fixtures/scenarios')).map((name) => `\`${name.replace('.yaml', '')}\``),
    ...FAULTS,
    ...Object.keys(RULE),
    ...Object.keys(RULE.when!.properties),
    ...Object.keys(RULE.answer!.properties),
    ...'extends equals contains startsWith endsWith matches absent lognormal uniform'.split(' '),
    'it lasts until the client gives up or the server closes',
  ],
  'docs/fixtures.md': Object.keys(fixturesFormat(api.collections, '').schema.properties).filter(
    (key) => !['$schema', 'version'].includes(key),
  ),
  'docs/interpretations.md': interpretations.flatMap((one) => [one.id, ...(one.switches ?? [])]),
  'docs/options.md': Object.keys(configSchemaFor(api).properties).filter((key) => !/^(\$schema|version)$/.test(key)),
}

t.test('docs/options.md has a row for every command', async (t) => {
  const { out } = await run(t, ['help'])
  const commands = Array.from(out.slice(out.indexOf('Commands:')).matchAll(/^ {2}(\w+) /gm), ([, name]) => name)
  t.ok(commands.length > 8, `${commands}`)
  for (const name of commands.filter((one) => one !== 'help')) t.match(textOf('docs/options.md'), `| \`${name}\` |`)
})

t.test('every operation, gate, fault, matcher, collection, switch and option is in the docs', async (t) => {
  for (const [page, names] of Object.entries(namesByPage)) {
    const text = textOf(page)
    for (const name of names) {
      const flag = `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
      t.ok(text.includes(name) || text.includes(flag), `${page} mentions ${name}`)
    }
  }
})

t.test('every export, and every member of a handle, is in the docs', async (t) => {
  const all = pages.map(textOf).join('\n')
  for (const name of Object.keys(programs)) t.ok(all.includes(`\`${name}\``) || all.includes(`${name}(`), name)
  await using mock = await startMockServer({ port: 0 })
  const page = textOf('docs/in-process.md')
  for (const [name, member] of Object.entries(mock)) {
    const names = typeof member === 'object' ? Object.keys(member).map((inner) => `${name}.${inner}`) : [name]
    for (const one of names) {
      const [group, inner] = one.split('.')
      const rows = page.split('\n').filter((line) => line.includes(`\`${group}`))
      const reported = rows.filter((row) => inner === undefined || row.includes(`.${inner}(`))
      t.not(reported.length, 0, `${one} is documented`)
    }
  }
})

t.test('docs/admin-api.md has a row for every admin route', async (t) => {
  await using mock = await startMockServer({ port: 0 })
  const { routes } = (await (await mock.fetch('/__admin/no-such-route')).json()) as { routes: string[] }
  const page = textOf('docs/admin-api.md')
  t.ok(routes.length > 30, `${routes.length} routes`)
  // Users do not call the routes of files that the dashboard and the docs page load.
  for (const route of routes.filter((one) => !/(dashboard|docs|editor)\.\w+$/.test(one))) {
    const [method = '', path = ''] = route.split(' ')
    const last = path.split('/').at(-1) || '`GET /`'
    const rows = page.split('\n').filter((line) => line.startsWith('| `') && line.includes(method))
    t.ok(
      rows.some((row) => row.includes(last)),
      route,
    )
  }
})

const site = '../../docs/.vitepress/config.mjs'
const { default: config } = await import(new URL(site, import.meta.url).href)

const inDocs = pages.filter((page) => page.startsWith('docs/')).map((page) => page.slice('docs'.length, -'.md'.length))
type Group = { readonly items: readonly { readonly link: string; readonly text: string }[] }
const items = (config.themeConfig.sidebar as readonly Group[]).flatMap((group) => group.items)

t.test('the sidebar of the site has every page once', async (t) => {
  t.strictSame(items.map(({ link }) => link).sort(), [...inDocs].sort())
  for (const { link, text } of items) t.match(text, /\w/, `${link} has a title`)
})
