// Makes four usual changes in copies of the repository, and tells which tests each of them breaks: three at most is the
// aim (CONTRIBUTING.md). It takes some ten minutes. npm run cost [-- WORD…]   only the changes with one of these words
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const changes = {
  'a new response header': (copy) =>
    replace(
      copy,
      'src/engine/http/api/send.ts',
      "all['x-mock-exchange'] =",
      "all['x-mock-more'] = 'yes'\n  all['x-mock-exchange'] =",
    ),
  'a reworded message': (copy) =>
    replace(copy, 'src/engine/judge/request-violations.ts', ' is missing: send', ' was not sent: send'),
  'a new option': (copy) =>
    replace(
      copy,
      'src/engine/files/config.ts',
      '  host: Type.String({',
      "  motto: Type.Optional(Type.String({ 'x-option': { value: 'TEXT' }, description: 'A motto.' })),\n  host: Type.String({",
    ),
  'an eighth operation': (copy) => {
    cpSync('test/repository/count-seats/contract.txt', join(copy, 'schemas/count-seats.ts'))
    cpSync('test/repository/count-seats/handler.txt', join(copy, 'src/api/count-seats/handler.ts'))
    appendFileSync(join(copy, 'schemas/index.ts'), "export { countSeats } from './count-seats.js'\n")
    appendFileSync(join(copy, 'src/api/handlers.ts'), "export { countSeats } from './count-seats/handler.js'\n")
  },
}

const words = process.argv.slice(2)
for (const [name, change] of Object.entries(changes)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue
  const copy = mkdtempSync(join(tmpdir(), 'countersign-cost-'))
  cpSync('.', copy, {
    recursive: true,
    filter: (path) => !/^(?:node_modules|\.git|\.tests|\.tap|dist)(?:\/|$)/.test(path),
  })
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'))
  change(copy)
  const run = (...args) => spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout
  run('scripts/generate.mjs')
  // The tests of a subject stand one step in.
  const broken = Array.from(run('test/run.mjs').matchAll(/^ {4}not ok \d+ - (.*?)(?: # .*)?$/gm), ([, test]) => test)
  console.log(`${name}: ${broken.length}${broken.map((test) => `\n  ${test}`).join('')}`)
  rmSync(copy, { recursive: true })
}

function replace(copy, file, before, after) {
  const text = readFileSync(join(copy, file), 'utf8')
  if (!text.includes(before)) throw new Error(`${file} has no '${before}' any more.`)
  writeFileSync(join(copy, file), text.replace(before, after))
}
