import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageRoot } from '../package-root.js'
import { quote } from '../text/wording.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'

/** A page of the documentation. */
interface Page {
  readonly name: string
  readonly text: string
}

/** Lists the pages of the documentation, prints one, or prints the paragraphs that contain some words. */
export const docs: Command = async (argv, io) => {
  const { words } = readCommandLine('docs', argv)
  const pages = await readPages()
  const named =
    words.length === 1 ? pages.find(({ name }) => name === words[0]?.toLowerCase().replace(/\.md$/, '')) : undefined
  if (named !== undefined) {
    io.out(named.text.trimEnd())
    return 0
  }
  if (words.length === 0) {
    io.out(listOf(pages))
    return 0
  }
  const found = pages.flatMap((page) => paragraphsWith(page, words))
  if (found.length > 0) io.out(found.join('\n\n'))
  else io.err(`countersign: No page contains ${words.map(quote).join(' and ')}. 'countersign docs' lists the pages.`)
  return found.length > 0 ? 0 : 1
}

async function readPages(): Promise<readonly Page[]> {
  const folder = join(packageRoot, 'docs')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md') && name !== 'index.md').sort()
  const inDocs = files.map((file) => [file.replace(/\.md$/, ''), join(folder, file)])
  const all = [['readme', join(packageRoot, 'README.md')], ['agents', join(packageRoot, 'AGENTS.md')], ...inDocs]
  return Promise.all(all.map(async ([name, file]) => ({ name: name!, text: await readFile(file!, 'utf8') })))
}

function listOf(pages: readonly Page[]): string {
  const width = Math.max(...pages.map(({ name }) => name.length))
  return pages.map(({ name, text }) => `${name.padEnd(width)}  ${titleOf(text)}`).join('\n')
}

function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? ''
}

/** The paragraphs of a page that contain all words, each below the place where it stands. */
function paragraphsWith({ name, text }: Page, words: readonly string[]): string[] {
  const wanted = words.map((word) => word.toLowerCase())
  let heading = titleOf(text)
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    heading = /^#+ (.+)$/m.exec(paragraph)?.[1] ?? heading
    const lower = `${heading} ${paragraph}`.toLowerCase()
    return wanted.every((word) => lower.includes(word)) ? [`${name}: ${heading}\n${indented(paragraph)}`] : []
  })
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
