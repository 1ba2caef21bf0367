import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The pages that show files of the examples, by path, with these files filled in. */
export async function pagesWithExamples(root) {
  const names = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)
  const pages = await Promise.all(['README.md', ...names].map(async (name) => [name, await withExamples(root, name)]))
  return Object.fromEntries(pages.filter(([, text]) => text !== undefined))
}

const BLOCK = /^```(\w+) (examples\/\S+)\n[\s\S]*?^```$/gm

/** A page's text with the example files filled in; undefined if it shows none. */
async function withExamples(root, name) {
  const text = await readFile(join(root, name), 'utf8')
  const paths = Array.from(text.matchAll(BLOCK), ([, , path]) => path)
  if (paths.length === 0) return undefined
  const examples = new Map()
  for (const path of paths) examples.set(path, (await readFile(join(root, path), 'utf8')).trimEnd())
  return text.replace(BLOCK, (_, language, path) => `\`\`\`${language} ${path}\n${examples.get(path)}\n\`\`\``)
}
