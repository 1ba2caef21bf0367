// Runs the tests. node test/run/index.mjs [NAME…] [--long] [--changed] [--shuffle [--times N]] [--jobs N]
//   NAME       only files whose path holds one of the names
//   --long     those that take long (*.long.test.ts), which else run only for a name that no other has
//   --changed  only files that import what git calls changed
//   --shuffle  in random order of subjects and of their files; --times N: as often as that
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { compile } from './compile.mjs'
import { subjectLines, summaryLines } from './report.mjs'
import { runSubject } from './subject.mjs'
import { root, selectFiles, shuffled, subjectsOf } from './subjects.mjs'

const { values: options, positionals: names } = readArguments()

const times = countFrom('times')
const jobs = countFrom('jobs')
const files = selectFiles({ ...options, names })
for (const name of names.filter((name) => !files.some((file) => file.includes(name))))
  refuse(`No test file has '${name}' in its path.`)

let isBuilt = false
let failedRuns = 0
for (let time = 0; time < times; time++) if (!(await runOnce())) failedRuns++
if (times > 1) console.log(`${times} runs, ${failedRuns} of them failed`)
process.exitCode = failedRuns > 0 ? 1 : 0

/** Whether all passed. */
async function runOnce() {
  const began = performance.now()
  const order = options.shuffle ? shuffled : (list) => list
  const subjects = await compile(order(subjectsOf(order(files))), options).catch((error) => {
    // What cannot be compiled, the compiler has told.
    if (error.errors === undefined) throw error
    process.exit(1)
  })
  if (subjects.length === 0) {
    console.log('No test imports what has changed.')
    return true
  }
  if (subjects.some(({ needsBuild }) => needsBuild)) build()
  const results = []
  await Promise.all(Array.from({ length: jobs }, work))
  console.log(summaryLines(results, performance.now() - began).join('\n'))
  return results.every(({ failures }) => failures.length === 0)

  async function work() {
    for (let subject = subjects.shift(); subject !== undefined; subject = subjects.shift()) {
      const result = await runSubject(subject)
      results.push(result)
      console.log(subjectLines(result).join('\n'))
    }
  }
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        long: { type: 'boolean', default: false },
        changed: { type: 'boolean', default: false },
        shuffle: { type: 'boolean', default: false },
        times: { type: 'string', default: '1' },
        // Most subjects wait most of the time: for processes, for pages, for a clock.
        jobs: { type: 'string', default: String(Math.min(2 * availableParallelism(), 12)) },
      },
    })
  } catch (error) {
    return refuse(error.message)
  }
}

/** Builds dist/, which tests of the command line start. */
function build() {
  if (!isBuilt) execFileSync(process.execPath, ['build.mjs'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  isBuilt = true
}

/** The whole number that an option gives. */
function countFrom(name) {
  const count = Number(options[name])
  if (!Number.isInteger(count) || count < 1)
    refuse(`--${name} takes a whole number of 1 or more, not '${options[name]}'.`)
  return count
}

function refuse(message) {
  console.error(message)
  process.exit(2)
}
