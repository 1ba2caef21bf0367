import { join } from 'node:path'
import t from 'tap'
import { findBrowser } from '../run/find-browser.mjs'
import { subjectLines, summaryLines } from '../run/report.mjs'
import { runSubject } from '../run/subject.mjs'
import { selectFiles, subjectsOf } from '../run/subjects.mjs'

const GOOD = `
import t from 'tap'
t.ok(true, 'the first holds')
t.test('inner', async (t) => t.ok(true, 'the second holds'))
t.test('elsewhere', { skip: 'there is no browser' }, async (t) => t.ok(true, 'a page is shown'))`

const BAD = `
import t from 'tap'
console.log('a word to the reader')
t.test('outer', async (t) => {
  t.equal('x'.repeat(3000) + '\\u001b[31m', 'x'.repeat(3000), 'the texts agree')
})`

const STRAY = `
import t from 'tap'
t.test('outer', async () => {
  setTimeout(() => {
    throw new Error('nobody catches it')
  })
  await new Promise((later) => setTimeout(later, 1000))
})`

// What is run here runs to its end, also where the first failure of a run ends it.
delete process.env.TAP_BAIL

t.test('a run is a line per subject, what failed, what was skipped, and the count', async (t) => {
  const folder = t.testdir({ 'good.mjs': GOOD, 'bad.mjs': BAD, 'crashing.mjs': 'process.exit(3)', 'stray.mjs': STRAY })
  const results = []
  for (const name of ['good', 'bad', 'crashing', 'stray'])
    results.push(await runSubject({ name, file: join(folder, `${name}.mjs`) }))
  const lines = results.map((result) => subjectLines(result).join('\n'))
  t.match(lines[0], /^✓ good +2 passed +\d+\.\d s {2}1 skipped$/, 'a subject that passes has a line')
  t.match(lines[1], /^✗ bad +0 passed +\d+\.\d s {2}1 failed\n[\s\S]* {4}a word to the reader/, 'with what it prints')
  t.match(lines[3], /^✗ stray[\s\S]*Error: nobody catches it\n +at .*stray\.mjs:5/, 'an error of no test, its place')
  const text = summaryLines(results, 1_000).join('\n')
  t.match(text, /✗ outer > the texts agree\n {2}at .*bad\.mjs:5:5\n[\s\S]*got: {4}…x+\\u\{1b\}\[31m\n/, 'its place')
  t.match(text, '\n✗ crashing: it ended with exit code 3\n', 'a crash is a failure')
  t.match(text, '\nSkipped, there is no browser:\n  elsewhere\n', 'a skip gives its reason')
  t.match(text, /\n2 passed, 3 failed, 1 skipped$/, 'the count is last')
})

t.test('a subject is a folder, a file alone, or what takes long', async (t) => {
  const files = ['test/a/one.test.ts', 'test/a/two.test.ts', 'test/a/three.long.test.ts', 'test/b.test.ts']
  const names = subjectsOf(files).map(({ name }) => name)
  t.strictSame(names, ['a', 'a/three.long', 'b'], 'each has a process')
  const slow = 'test/worlds/worlds.model.long.test.ts'
  t.strictSame(selectFiles({ names: ['worlds.model'], long: false }), [slow], 'what takes long runs by its own name')
  t.notOk(selectFiles({ names: ['worlds'], long: false }).includes(slow), 'and not by one that others have')
})

t.test('a browser is the one that is named, or is found on the path', async (t) => {
  const folder = t.testdir({ 'google-chrome': '', mine: '' })
  t.equal(findBrowser({ PATH: folder }), join(folder, 'google-chrome'), 'one on the path')
  t.equal(findBrowser({ CHROMIUM: join(folder, 'mine'), PATH: folder }), join(folder, 'mine'), 'the one that is named')
  t.equal(findBrowser({ CHROMIUM: join(folder, 'gone'), PATH: folder }), undefined, 'which has to be there')
})
