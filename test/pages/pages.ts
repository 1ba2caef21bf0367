import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  /** The word after the language, such as `scenario`; may be empty. */
  readonly kind: string
  readonly text: string
}

export const pages = [
  'README.md',
  'AGENTS.md',
  'examples/README.md',
  'fixtures/README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && !['index.md', 'architecture.md'].includes(name))
    .map((name) => `docs/${name}`),
]

export const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

export function blocksOf(page: string): Block[] {
  const text = textOf(page)
  return Array.from(text.matchAll(/^```(\w*)(?: (.+))?\n([\s\S]*?)^```$/gm), (found) => {
    const [, language = '', kind = '', inside = ''] = found
    return { page, line: text.slice(0, found.index).split('\n').length, language, kind, text: inside }
  })
}
