import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { folder as newFolder } from '../binary.js'
import { run } from '../command-line.js'
import { provider, TOKEN, verify } from './stub.js'

t.test('reports that cannot be written are told before anything is sent', async (t) => {
  const mock = await provider(t)
  const folder = t.testdir({ taken: 'a file' })
  const reports = ['--json', join(folder, 'taken/x.json'), '--junit', folder]
  const text = /x\.json: The file cannot be written: .+\n.*The file cannot be written: it is a folder/
  t.match(await verify(t, mock.url, '--allow-writes', ...reports), { code: 2, text }, 'all of them')
  t.strictSame(await mock.requests(), [], 'nothing was sent')
})

t.test('what is wrong on the command line is told before any report is looked at', async (t) => {
  const mock = await provider(t)
  const cwd = newFolder(t, { 'broken.yaml': ']', 'kept.json': 'kept' })
  const there = readdirSync(cwd)
  const reports = ['--json', 'new.json', '--junit', 'kept.json', '--summary', '/dev/null/x']
  const target = ['--target', mock.url, '--token', TOKEN]
  for (const [words, says] of [
    [[], /--target is missing\. Usage: countersign verify --target/],
    [['--target', mock.url], /Pass a user's token with --token, or in COUNTERSIGN_TOKEN/],
    [[...target, '--only', 'nothing'], /--only does not take 'nothing'/],
    [[...target, '--timeout', '0'], /--timeout must be a whole number of milliseconds from 1 to 600000, not '0'/],
    [[...target, '--wait-until-up', '-1'], /--wait-until-up must be a whole number of seconds/],
    [[...target, '--header', 'x'], /--header must be/],
    [[...target, '--data', 'broken.yaml'], /broken\.yaml:1:1/],
    [[...target, '--config', 'none.yaml'], /none\.yaml: The file cannot be read/],
  ] as const) {
    const { code, err } = await run(t, ['verify', ...reports, ...words], { cwd })
    t.match({ code, err }, { code: 2, err: says }, words.slice(-2).join(' '))
    t.notMatch(err, /cannot be written/, 'the reports are not looked at yet')
  }
  t.same(readdirSync(cwd), there, 'no file is made')
  t.strictSame(await mock.requests(), [], 'nothing was sent')
})

t.test('looking whether a report can be written makes no file', async (t) => {
  const mock = await provider(t)
  const cwd = newFolder(t)
  const target = ['--target', mock.url, '--token', 'wrong', '--json', 'new.json']
  t.match(await run(t, ['verify', ...target], { cwd }), { code: 2, err: /token/ }, 'a token that is not accepted')
  t.same(readdirSync(cwd), [], 'leaves no empty report')
})
