import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * The most lines that each part may have: of code, of styles, and of all files in test. A part with an `aim` may only
 * shrink.
 */
const budgets: Readonly<Record<string, { readonly most: number; readonly aim?: number }>> = {
  schemas: { most: 1_300 },
  'src/api': { most: 2_300 },
  'src/engine': { most: 11_316, aim: 8_200 },
  'src/tools': { most: 9_065, aim: 7_800 },
  'src/server src/cli': { most: 3_147, aim: 2_900 },
  'src schemas': { most: 27_180, aim: 22_500 },
  styles: { most: 900 },
  test: { most: 19_779, aim: 18_500 },
  'bench scripts .ci build.mjs': { most: 1_600 },
}
const docs = { pages: 22, words: 16_500 }

/** One percent more is allowed, so that a single line does not fail the test. */
const SLACK = 1.01

/** Written by the build. */
const GENERATED = join('schemas', 'plain.ts')
const CODE = /\.(?:ts|tsx|mjs|js)$/
const STYLES = /\.css$/
/** In test, every file counts, except lock files. */
const ANY = /(?<!package-lock)\.\w+$/

function filesIn(folder: string, kind: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => kind.test(name) && !name.includes('node_modules') && name !== GENERATED)
}

/** Lines of some folders and files, which are separated by spaces. */
function linesOf(places: string): number {
  if (places === 'styles') return linesIn(filesIn('src', STYLES))
  const kind = places === 'test' ? ANY : CODE
  const all = places.split(' ').flatMap((place) => (CODE.test(place) ? [place] : filesIn(place, kind)))
  return linesIn(all)
}

function linesIn(all: readonly string[]): number {
  return all.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
}

t.test('no part of the repository outgrows its budget', async (t) => {
  for (const [place, { most, aim = most }] of Object.entries(budgets)) {
    const now = linesOf(place)
    t.ok(now <= most * SLACK, `${place} has ${now} lines, may have ${Math.floor(most * SLACK)}, and should have ${aim}`)
  }
  const pages = filesIn('docs', /^docs\/[^/]+\.md$/)
  const words = [...pages, 'README.md'].flatMap((page) => readFileSync(join(root, page), 'utf8').match(/\S+/g) ?? [])
  t.ok(pages.length <= docs.pages, `docs has ${pages.length} pages, and should have ${docs.pages} at most`)
  t.ok(
    words.length <= docs.words * SLACK,
    `docs and README have ${words.length} words, and should have ${docs.words} at most`,
  )
})
