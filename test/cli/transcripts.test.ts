import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { folder } from '../binary.js'
import { run, serve } from '../command-line.js'
import { fits } from '../violations/case.js'

const FOLDER = fileURLToPath(new URL('../cases/commands/', import.meta.url))

for (const file of readdirSync(FOLDER))
  t.test(`what commands print: ${file}`, async (t) => {
    const [, ...cases] = readFileSync(join(FOLDER, file), 'utf8').split(/^=== /m)
    for (const one of cases) {
      const [name = '', ...blocks] = one.split(/\n+(?=[+$&] )/)
      const cwd = folder(t)
      let server = 'URL'
      const print = async (line: string) => {
        if (line.startsWith('cat ')) return readFileSync(join(cwd, line.slice(4)), 'utf8').replaceAll(server, 'URL')
        const { code, out, err } = await run(t, wordsOf(line.replace('URL', server)), { cwd })
        return `${out}${err}< ${code}`.replaceAll(server, 'URL')
      }
      for (const block of blocks) {
        const [, kind, line = '', text = ''] = /^(.) (.*)\n?([\s\S]*)$/.exec(block) ?? []
        if (kind === '+') write(join(cwd, line), text)
        else if (kind === '&') server = (await serve(t, wordsOf(line), { cwd })).url
        else {
          const printed = await print(line)
          t.equal(fits(printed.trim(), text.trim()) ? text : printed, text, `${name}: ${line}`)
        }
      }
    }
  })

/** The words after the program's name. */
function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? `${plain}`).slice(1)
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text === '' ? '' : `${text.trimEnd()}\n`)
}
