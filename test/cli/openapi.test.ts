import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { CLI, launch, run as runBinary } from '../binary.js'
import { run } from '../command-line.js'

t.test('openapi prints the document, as the package ships it', async (t) => {
  const openapi = async (...args: string[]) => parse((await run(t, ['openapi', ...args])).out)
  const shipped = JSON.parse(readFileSync('openapi.json', 'utf8'))
  t.same(JSON.parse((await run(t, ['openapi'])).out), shipped, 'it is the shipped document')
  t.same(await openapi('--yaml'), shipped, 'YAML says the same')
  t.equal((await openapi('--version', '3.0')).openapi, '3.0.3', 'OpenAPI 3.0 is had by --version')
})

/** Runs a line of shell, in which `countersign` is the binary: only a shell's pipe is a pipe, and holds 64 KiB. */
const shell = (t: Test, line: string) =>
  launch(t, '/bin/sh', ['-c', line.replace('countersign', '"$0" "$1"'), process.execPath, CLI]).ended

const SLOWLY = '(sleep 0.7; dd bs=1000 count=1 2> /dev/null; sleep 0.3; cat)'

for (const args of [[], ['--version', '3.0']])
  t.test(`openapi ${args.join(' ')} comes whole to a slow reader`, async (t) => {
    const { out, err } = await shell(t, `countersign openapi ${args.join(' ')} | ${SLOWLY}`)
    t.ok(out.length > 65_536, 'it is more than a pipe holds')
    t.equal(out, (await runBinary(t, ['openapi', ...args])).out, 'the reader has all of it')
    t.equal(err, '', 'without a complaint')
  })

t.test('a reader that goes away before the end does not hold the command', async (t) => {
  const { err } = await shell(t, '{ countersign openapi; echo "ended with $?" >&2; } | sleep 0.7')
  t.equal(err, 'ended with 0\n', 'it ends well, and without a complaint')
})
