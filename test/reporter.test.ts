import { fileURLToPath } from 'node:url'
import t from 'tap'
import { launch } from './binary.js'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const TAP = path('../node_modules/tap/dist/esm/run.mjs')
const REPORTER = path('reporter/index.mjs')

const GOOD = `
import t from 'tap'
t.ok(true, 'the first holds')
t.ok(true, 'the second holds')
t.test('elsewhere', { skip: 'there is no browser' }, async (t) => t.ok(true, 'a page is shown'))`

const BAD = `
import t from 'tap'
console.log('a word to the reader')
t.test('outer', async (t) => {
  t.test('inner', async (t) => {
    t.equal(404, 200, 'the status is 200')
    t.equal('x'.repeat(3000) + '\\u001b[31m\\u0000', 'x'.repeat(3000), 'the texts agree')
    t.same([...Array(100).keys()], [], 'nothing is listed')
  })
})`

const CRASHING = `
import t from 'tap'
t.ok(true, 'it begins')
for (let line = 1; line <= 100; line++) console.error('line ' + line)
process.exit(3)`

t.test('a run is a line per file, what failed, what was skipped, and the count', async (t) => {
  const cwd = t.testdir({
    'package.json': '{ "type": "module" }',
    '.taprc': 'disable-coverage: true\nallow-incomplete-coverage: true\njobs: 2\n',
    'good.test.mjs': GOOD,
    'bad.test.mjs': BAD,
    'crashing.test.mjs': CRASHING,
    'unreadable.test.mjs': 'const = 1',
  })
  const { code, out } = await launch(t, process.execPath, [TAP, 'run', '--reporter', REPORTER], { cwd }).ended
  t.equal(code, 1, 'the run fails')
  t.match(out, /^✓ good\.test\.mjs +2 assertions +\d+\.\d s {2}1 skipped$/m, 'a file that passes has a line')
  t.match(out, /^✗ bad\.test\.mjs +3 assertions +\d+\.\d s {2}3 failed$/m, 'a file that fails has a line')
  t.match(out, '\n    a word to the reader\n', 'what a file prints is shown')
  t.match(
    out,
    /^✗ bad\.test\.mjs > outer > inner > the status is 200\n {2}at .*bad\.test\.mjs:6:7\n {4}t\.equal\(.*\n {2}wanted: 200\n {2}got: {4}404$/m,
    'a failure says where it is, what was asked, wanted and got',
  )
  t.match(out, /\n {2}got: {4}…x+\\u\{1b\}\[31m\\u\{0\}\n/, 'long texts are cut before they differ, and escaped')
  t.match(out, /\n {2}\+ {2}17,\n {2}… \d+ more lines\n/, 'a long list is cut')
  t.match(out, / {4}… 60 lines before\n {4}line 61\n[\s\S]*line 100\n/, 'the last output of a crash is shown')
  t.match(out, '\n✗ crashing.test.mjs > it ended with exit code 3\n', 'a crash is a failure')
  t.match(
    out,
    /SyntaxError[\s\S]*\n✗ unreadable\.test\.mjs > it ended with exit code 1\n/,
    'as is a file without sense',
  )
  t.match(out, '\nSkipped:\n  good.test.mjs > elsewhere: there is no browser\n', 'a skip gives its reason')
  t.match(out, /\n\n3 passed, 5 failed, 1 skipped\n$/, 'the count comes last')
  t.notMatch(out, /[\0-\x09\x0b-\x1f]/, 'nothing in it moves a terminal')
  t.ok(Math.max(...out.split('\n').map((line) => line.length)) <= 220, 'no line is too long')
})

t.test('a run that passes is short, and ends well', async (t) => {
  const cwd = t.testdir({ 'package.json': '{ "type": "module" }', 'good.test.mjs': GOOD })
  const args = [TAP, 'run', '--disable-coverage', '--allow-incomplete-coverage', '--reporter', REPORTER]
  const { code, out } = await launch(t, process.execPath, args, { cwd }).ended
  t.equal(code, 0, 'the run passes')
  t.equal(out.split('\n').length, 7, 'a line for the file, two for the skip, and the count')
})
