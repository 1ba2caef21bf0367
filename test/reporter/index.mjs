import { Transform } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import t from 'tap'
import { failureLines } from './failure.mjs'
import { indent, last, linesOf, painter, printable } from './text.mjs'

const MOST_OUTPUT = 40

/**
 * Prints a line per test file as it ends, then what failed and what was skipped, then the count.
 *
 * tap gives a reporter the text of all assertions, but not what a test file writes to stderr. In the runner's process
 * `t` is the run itself: this listens to its test files instead, and lets the text go.
 */
export default class Reporter extends Transform {
  #paint = painter(process.stdout)
  #files = []

  constructor() {
    super()
    t.on('spawn', (file) => this.#watch(file))
  }

  #watch(file) {
    const start = performance.now()
    let output = ''
    const keep = (text) => {
      output += text
    }
    file.on('preprocess', ({ stdio }) => {
      stdio[2] = 'pipe'
    })
    // What a file prints that is no result.
    file.parser.on('extra', keep)
    file.on('process', (child) => {
      child.stderr.setEncoding('utf8').on('data', keep)
      child.on('close', () => this.#ended(resultOf(file, output, performance.now() - start)))
    })
  }

  #ended(result) {
    this.#files.push(result)
    const output = last(linesOf(stripVTControlCharacters(result.output)), MOST_OUTPUT)
    this.#print([lineOf(result, this.#paint), ...indent(output.map(printable), 4)])
  }

  #print(lines) {
    this.push(lines.map((line) => `${line}\n`).join(''))
  }

  _transform(_chunk, _encoding, done) {
    done()
  }

  _flush(done) {
    const failures = this.#files.flatMap(({ failures }) => failures)
    // The run as a whole may fail where no file does, as when it is broken off.
    if (failures.length === 0 && !t.results?.ok) failures.push({ fullname: 'the run did not end well' })
    const skips = this.#files.flatMap(({ skips }) => skips)
    const passed = this.#files.reduce((sum, file) => sum + file.passed, 0)
    for (const failure of failures) this.#print(['', ...failureLines(failure, this.#paint)])
    if (skips.length > 0) this.#print(['', 'Skipped:', ...skips.map((skip) => printable(`  ${skip}`))])
    this.#print(['', countOf(passed, failures.length, skips.length)])
    done()
  }
}

/** What is told of a test file. */
function resultOf(file, output, milliseconds) {
  const { name, counts, lists, options } = file
  const failures = lists.fail.map((failure) => ({ ...failure, fullname: failure.fullname.trim() }))
  const end = endOf(file)
  if (end !== undefined && failures.length === 0) failures.push({ fullname: `${name} > ${end}` })
  const skips = [...lists.skip, ...lists.todo].map((one) => `${one.fullname}: ${reasonOf(one)}`)
  if (options.skip && end === undefined) skips.push(`${name}: ${options.skip}`)
  const asserted = counts.pass + (counts.fail ?? 0)
  return { name, output, seconds: milliseconds / 1000, asserted, passed: counts.pass, failures, skips }
}

function reasonOf({ skip, todo }) {
  const reason = skip || todo
  return reason === true ? 'without a reason' : reason
}

/** How a test file ended, if not well. */
function endOf({ timedOut, bailedOut, results, options: { exitCode, signal } }) {
  if (timedOut) return 'it did not end in time'
  if (bailedOut) return `it gave up: ${bailedOut}`
  if (signal) return `it was ended by ${signal}`
  if (exitCode) return `it ended with exit code ${exitCode}`
  return results?.ok ? undefined : 'it did not end well'
}

function lineOf({ name, seconds, asserted, failures, skips }, paint) {
  const mark = failures.length > 0 ? paint('red', '✗') : paint('green', '✓')
  const more = [
    failures.length > 0 && paint('red', `${failures.length} failed`),
    skips.length > 0 && paint('yellow', `${skips.length} skipped`),
  ].filter(Boolean)
  const assertions = `${asserted}`.padStart(6) + (asserted === 1 ? ' assertion ' : ' assertions')
  return `${mark} ${name.padEnd(40)}${assertions} ${seconds.toFixed(1).padStart(6)} s  ${more.join(', ')}`.trimEnd()
}

function countOf(passed, failed, skipped) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
