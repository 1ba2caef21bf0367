import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Lines that each part should have at most (docs/architecture.md). CONTRIBUTING.md says what to do when one is reached. */
const budgets: Readonly<Record<string, number>> = {
  'src/mock': 10_000,
  'src/tools': 10_000,
  'src/server src/cli': 3_310,
  src: 23_400,
  schemas: 2_870,
  test: 20_000,
  'bench scripts .ci build.mjs': 1_600,
}
const docs = { pages: 22, words: 18_000 }

/** A budget may be passed by three in a hundred: one more line is no reason to stop. */
const SLACK = 1.03

/** The build writes it. */
const GENERATED = join('schemas', 'plain.ts')
const CODE = /\.(?:ts|tsx|mjs|js)$/
/** Whatever lies in test is read like code. */
const READ = /(?<!package-lock)\.\w+$/

function filesIn(folder: string, kind: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => kind.test(name) && !name.includes('node_modules') && name !== GENERATED)
}

/** Lines below some folders and of some files, parted by spaces. */
function linesOf(places: string): number {
  const kind = places === 'test' ? READ : CODE
  const all = places.split(' ').flatMap((place) => (CODE.test(place) ? [place] : filesIn(place, kind)))
  return all.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
}

t.test('no part of the repository outgrows its budget', async (t) => {
  for (const [place, most] of Object.entries(budgets)) {
    const now = linesOf(place)
    t.ok(now <= most * SLACK, `${place} has ${now} lines, and should have ${most} at most`)
  }
  const pages = filesIn('docs', /^docs\/[^/]+\.md$/)
  const words = [...pages, 'README.md'].flatMap((page) => readFileSync(join(root, page), 'utf8').match(/\S+/g) ?? [])
  t.ok(pages.length <= docs.pages, `docs has ${pages.length} pages, and should have ${docs.pages} at most`)
  t.ok(
    words.length <= docs.words * SLACK,
    `docs and README have ${words.length} words, and should have ${docs.words} at most`,
  )
})
