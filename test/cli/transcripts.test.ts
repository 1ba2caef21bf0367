import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { fits } from '../violations/case.js'

const FOLDER = fileURLToPath(new URL('../cases/commands/', import.meta.url))

for (const file of readdirSync(FOLDER))
  t.test(`what commands print: ${file}`, async (t) => {
    const [, ...cases] = readFileSync(join(FOLDER, file), 'utf8').split(/^=== /m)
    for (const one of cases) {
      const [name = '', ...blocks] = one.split(/\n+(?=[+$] )/)
      const cwd = folder(t)
      for (const block of blocks) {
        const [, kind, line = '', text = ''] = /^(.) (.*)\n?([\s\S]*)$/.exec(block) ?? []
        if (kind === '+') write(join(cwd, line), text)
        else {
          const printed = line.startsWith('cat ')
            ? readFileSync(join(cwd, line.slice(4)), 'utf8')
            : await print(line, cwd)
          const isFit = fits(printed.trim(), text.trim())
          t.equal(isFit ? text : printed, text, `${name}: ${line}`)
        }
      }
    }

    async function print(line: string, cwd: string) {
      const words = Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? `${plain}`)
      const { code, out, err } = await run(t, words.slice(1), { cwd })
      return `${out}${err}< ${code}`
    }
  })

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text === '' ? '' : `${text.trimEnd()}\n`)
}
