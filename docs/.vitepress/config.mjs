import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const docs = fileURLToPath(new URL('..', import.meta.url))
const root = join(docs, '..')
/** The account and name of the repository, as GitHub Actions tells it. */
const repository = process.env.GITHUB_REPOSITORY
const source = repository === undefined ? undefined : `https://github.com/${repository}`

/** The pages by what a reader wants, in the order of the README. */
const groups = [
  ['Start', ['front-end', 'test-suites', 'ci', 'container']],
  ['With your framework', ['vitest', 'playwright', 'msw']],
  ['What it does', ['scenarios', 'sandboxes', 'judging', 'mutate', 'real-service', 'fixtures']],
  ['Reference', ['api', 'interpretations', 'options', 'admin-api', 'in-process']],
  ['About', ['comparison', 'stability']],
]

const titles = new Map(
  await Promise.all(
    groups.flatMap(([, names]) =>
      names.map(async (name) => [name, /^# (.+)$/m.exec(await readFile(join(docs, `${name}.md`), 'utf8'))[1]]),
    ),
  ),
)

export default {
  title: 'countersign',
  description: 'A local server that stands in for the Enterprise Document Signing and Protection API.',
  base: process.env.DOCS_BASE ?? '/',
  cleanUrls: true,
  // For those who change countersign.
  srcExclude: ['architecture.md', 'decisions/**'],
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Links that lead out of docs/, to files of the repository.
  markdown: { config: (markdown) => void markdown.core.ruler.push('outside', leadOutside) },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/front-end' },
      { text: 'The API document', link: '/api' },
    ],
    sidebar: groups.map(([text, names]) => ({
      text,
      items: names.map((name) => ({ text: titles.get(name), link: `/${name}` })),
    })),
    ...(source && { socialLinks: [{ icon: 'github', link: source }] }),
  },
  vite: {
    plugins: [
      {
        name: 'placed',
        enforce: 'pre',
        transform: (text, id) => (id.endsWith('.md') ? placed(text) : undefined),
      },
    ],
  },
  buildEnd: ({ outDir }) => writeForMachines(outDir),
}

/** A page with the repository in the place of its stand-in, where it is known. */
function placed(text) {
  if (repository === undefined) return text
  return text.replaceAll('OWNER/countersign', repository).replace(/`OWNER` is the account[^.]*\.\s*/, '')
}

/** Turns links to files that are no pages into links to the repository, or into text where none is known. */
function leadOutside({ tokens }) {
  for (const { children } of tokens) {
    for (const token of children ?? []) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (!href?.startsWith('../')) continue
      const path = href.slice('../'.length)
      token.attrSet('href', source === undefined || path.startsWith('README.md') ? '/' : `${source}/blob/main/${path}`)
    }
  }
}

/** Each page as markdown beside its HTML, and llms.txt, which lists them. */
async function writeForMachines(outDir) {
  for (const page of titles.keys())
    await writeFile(join(outDir, `${page}.md`), placed(await readFile(join(docs, `${page}.md`), 'utf8')))
  const list = groups.map(([group, pages]) =>
    [`## ${group}\n`, ...pages.map((name) => `- [${titles.get(name)}](${name}.md)`)].join('\n'),
  )
  const about = await readFile(join(root, 'AGENTS.md'), 'utf8')
  await writeFile(join(outDir, 'llms.txt'), ['# countersign', about.split('\n\n')[1], ...list, ''].join('\n\n'))
}
