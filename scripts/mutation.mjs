// Alters the sources in one place at a time, and looks whether the compiler or a test notices.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { choose } from './mutation/choose.mjs'
import { killersIn } from './mutation/killers.mjs'
import { mutantsOf } from './mutation/operators.mjs'
import { inDetail, inShort, scoreOf } from './mutation/report.mjs'
import { lineOf } from './mutation/rooms.mjs'
import { scratchCopy } from './mutation/scratch.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (file) => readFileSync(join(root, file), 'utf8')

const { values: options } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    // Part of the names of files.
    only: { type: 'string', default: '' },
    // A mutant of your own: in this file, this text becomes that one.
    file: { type: 'string' },
    before: { type: 'string' },
    after: { type: 'string' },
  },
})

const mutants =
  options.file === undefined ? choose(allMutants(), Number(options.count), Number(options.seed)) : [ownMutant(options)]
if (mutants.length === 0) throw new Error(`No file that is mutated has '${options.only}' in its name.`)

const scratch = scratchCopy(root)
const killers = await killersIn(scratch, mutants)
const results = []
for (const mutant of mutants) {
  const began = performance.now()
  const text = textOf(mutant.file)
  scratch.write(mutant.file, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end))
  const killer = await killers.of(mutant)
  scratch.write(mutant.file, text)
  results.push({ ...mutant, text, killer })
  console.log(inShort(results.at(-1), results.length, performance.now() - began))
}

for (const survivor of results.filter(({ killer }) => killer === undefined)) console.log(inDetail(survivor))
console.log(scoreOf(results))

function allMutants() {
  return readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((name) => join('src', name))
    .filter((file) => file.endsWith('.ts') && file.includes(options.only) && lineOf(file) !== undefined)
    .sort()
    .flatMap((file) => mutantsOf(file, textOf(file)).map((mutant) => ({ ...mutant, room: lineOf(file).room })))
}

function ownMutant({ file, before, after }) {
  const start = textOf(file).indexOf(before)
  if (start < 0 || after === undefined) throw new Error(`Say with --before what stands in ${file}, and --after.`)
  const room = lineOf(file)?.room
  if (room === undefined) throw new Error(`scripts/mutation/rooms.mjs names no tests for ${file}.`)
  const line = textOf(file).slice(0, start).split('\n').length
  return { file, line, start, end: start + before.length, replacement: after, kind: 'your own', room }
}
