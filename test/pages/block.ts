import { readdirSync, readFileSync } from 'node:fs'

/** What a page shows in a frame of its own. */
export interface Block {
  readonly page: string
  /** Of its first line. */
  readonly line: number
  readonly language: string
  /** What it is, as the word after its language says; empty where there is none. */
  readonly kind: string
  readonly text: string
}

const root = new URL('../../', import.meta.url)

/** Whatever users read, by its path in the package. */
export const pages = [
  'README.md',
  'AGENTS.md',
  'examples/README.md',
  'fixtures/README.md',
  ...readdirSync(new URL('docs', root))
    .filter((name) => name.endsWith('.md') && !['index.md', 'architecture.md'].includes(name))
    .map((name) => `docs/${name}`),
]

export const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8')

/** The blocks of a page, in order. */
export function blocksOf(page: string): Block[] {
  const text = textOf(page)
  return Array.from(text.matchAll(/^```(\w*)(?: (.+))?\n([\s\S]*?)^```$/gm), (found) => {
    const [, language = '', kind = '', inside = ''] = found
    return { page, line: text.slice(0, found.index).split('\n').length, language, kind, text: inside }
  })
}
