import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Parser } from 'tap-parser'
import { root } from './subjects.mjs'

/** Seconds that a subject may take, unless told otherwise. */
const PATIENCE = '600'

/** Where each core has a subject to run, threads that collect garbage beside it cost a quarter more. */
const FLAGS = [
  '--enable-source-maps',
  '--single-threaded-gc',
  `--import=${new URL('without-hooks.mjs', import.meta.url)}`,
]

/** Runs a subject in a process of its own, and reads what tap says of its assertions. */
export async function runSubject({ name, file }) {
  const began = performance.now()
  const child = spawn(process.execPath, [...FLAGS, file], {
    cwd: root,
    // Else what is compiled is kept in the temporary folder.
    env: { TAP_TIMEOUT: PATIENCE, ...process.env, DISABLE_V8_COMPILE_CACHE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const result = { name, passed: 0, failures: [], skips: [], output: '' }
  const parser = new Parser()
  watch(parser, result)
  const keep = (text) => {
    result.output += text
  }
  parser.on('extra', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const parsed = once(parser, 'complete')
  child.stdout.pipe(parser)
  const [code, signal] = await once(child, 'close')
  const [{ ok }] = await parsed
  const end = endOf({ code, signal, ok })
  if (end !== undefined && result.failures.length === 0) result.failures.push({ fullname: `${name}: ${end}` })
  return { ...result, seconds: (performance.now() - began) / 1000 }
}

/** Counts assertions, and not the lines that close a test. */
function watch(parser, result) {
  parser.on('child', (inner) => watch(inner, result))
  parser.on('assert', (one) => {
    if (one.skip || one.todo) result.skips.push(one)
    else if (one.closingTestPoint) return
    else if (one.ok) result.passed++
    else result.failures.push(one)
  })
}

/** How a subject ended, if not well. */
function endOf({ code, signal, ok }) {
  if (signal !== null) return `it was ended by ${signal}`
  if (code !== 0) return `it ended with exit code ${code}`
  return ok ? undefined : 'it did not end well'
}
