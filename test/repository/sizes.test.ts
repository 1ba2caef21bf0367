import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What each part may measure at most. Lower a figure freely; raise one only with a reason in the commit. */
const lines = {
  'src/cli': 1784,
  'src/coverage': 985,
  'src/dashboard': 3199,
  'src/docs': 548,
  'src/integrations': 700,
  'src/http': 3437,
  'src/operations': 832,
  'src/provider': 2139,
  'src/server': 1388,
  'src/text': 820,
  'src/validation': 1284,
  'src/world': 2892,
  src: 20_076,
  schemas: 2892,
  test: 13_995,
  'bench scripts .ci build.mjs': 1382,
}
const files = { src: 267, test: 119 }
const docs = { pages: 22, words: 17_871 }

/** The build writes it. */
const GENERATED = join('schemas', 'plain.ts')
const CODE = /\.(?:ts|tsx|mjs|js)$/

function filesIn(folder: string, kind = CODE): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => kind.test(name) && !name.includes('node_modules') && name !== GENERATED)
}

/** Lines of the code below some folders and of some files, parted by spaces. */
function linesOf(places: string): number {
  const all = places.split(' ').flatMap((place) => (CODE.test(place) ? [place] : filesIn(place)))
  return all.reduce((sum, file) => sum + readFileSync(join(root, file), 'utf8').split('\n').length - 1, 0)
}

t.test('no part of the repository grows without a reason', async (t) => {
  for (const [place, most] of Object.entries(lines)) {
    const now = linesOf(place)
    t.ok(now <= most, `${place} has ${now} lines, and may have ${most}`)
  }
  for (const [place, most] of Object.entries(files)) {
    const now = filesIn(place).length
    t.ok(now <= most, `${place} has ${now} files, and may have ${most}`)
  }
  const pages = filesIn('docs', /^docs\/[^/]+\.md$/)
  const words = [...pages, 'README.md'].flatMap((page) => readFileSync(join(root, page), 'utf8').match(/\S+/g) ?? [])
  t.ok(pages.length <= docs.pages, `docs has ${pages.length} pages, and may have ${docs.pages}`)
  t.ok(words.length <= docs.words, `docs and README have ${words.length} words, and may have ${docs.words}`)
})
