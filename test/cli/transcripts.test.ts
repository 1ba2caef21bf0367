import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { folder, launch, until } from '../binary.js'
import { run, serve } from '../command-line.js'
import { expectOutput } from '../fits.js'

const FOLDER = fileURLToPath(new URL('../cases/commands/', import.meta.url))
/** A quoted line of a file, and a mark below it. */
const FRAME = /^> \d+ \| .*\n +\| *\^\n/gm

// ../cases/README.md explains the lines of a case. Cases mostly wait for a server, so four run at once.
t.jobs = 4
for (const file of readdirSync(FOLDER))
  t.test(`commands print what ${file} expects`, async (t) => {
    const [shared = '', ...cases] = readFileSync(join(FOLDER, file), 'utf8').split(/^=== /m)
    const [, ...sharedBlocks] = blocksOf(`\n${shared.trimEnd()}`)
    for (const one of cases) {
      const [name = '', ...own] = blocksOf(one)
      const cwd = folder(t)
      let server = { url: 'URL', out: () => '', err: () => '' }
      let expectedServerOutput: string | undefined
      const serverOutput = () => `${server.out()}${server.err()}`.replaceAll(server.url, 'URL')
      const runLine = async (line: string) => {
        const [program = '', ...words] = wordsOf(line.replace('URL', server.url))
        const isOurs = program === 'countersign'
        const { code, out, err } = await (isOurs ? run(t, words, { cwd }) : launch(t, program, words, { cwd }).ended)
        return { code, printed: `${out}${err}`.replaceAll('\r', '').replaceAll(server.url, 'URL') }
      }
      for (const block of [...sharedBlocks, ...own]) {
        const [, kind, line = '', text = ''] = /^(.) (.*)\n?([\s\S]*)$/.exec(block) ?? []
        if (kind === '+' || kind === '!') {
          const outputBefore = serverOutput()
          if (kind === '+') write(join(cwd, line), text)
          else rmSync(join(cwd, line), { recursive: true })
          if (expectedServerOutput !== undefined)
            await until(() => serverOutput() !== outputBefore, 5_000).catch(() => {})
        } else if (kind === '&') {
          server = await serve(t, wordsOf(line).slice(1), { cwd })
          expectedServerOutput = text
        } else {
          const { code, printed } = await runLine(line)
          const [, expected = '', status = '0'] = /^([\s\S]*?)(?:(?<![^\n])< (\d+)\s*)?$/.exec(text) ?? []
          t.equal(`${code}`, status, `${name}: ${line} exits with ${status}`, { printed })
          const shown = expected.includes('  | ') ? printed : printed.replaceAll(FRAME, '')
          await expectOutput(t, () => shown, expected, `${name}: ${line}`)
        }
      }
      if (!expectedServerOutput) continue
      await expectOutput(t, serverOutput, expectedServerOutput, `${name}: the server`)
    }
  })

function blocksOf(text: string): string[] {
  return text.split(/\n+(?=[!+$&] )/)
}

function wordsOf(line: string): string[] {
  return Array.from(line.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? `${plain}`)
}

function write(path: string, text: string) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text === '' ? '' : `${text.trimEnd()}\n`)
}
