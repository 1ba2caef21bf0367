import { type StdioOptions, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { CLI, environment, folder, launch, until } from '../binary.js'
import { freePort } from '../forward/provider.js'

const FULL = '/dev/full'

/** How a stream of a process may be broken: what it is given in place of a pipe, and what is done once it runs. */
const breaks = {
  'is a pipe that nobody reads any more': { given: () => 'pipe' as const, broken: true },
  'is a file on a full disk': { given: () => openSync(FULL, 'w'), broken: false },
} as const

async function start(t: Test, stream: 'stdout' | 'stderr', how: keyof typeof breaks) {
  const { given, broken } = breaks[how]
  const cwd = folder(t, { 'scenarios/mine.yaml': 'rules: []\n' })
  const port = await freePort()
  const place = given()
  const stdio: StdioOptions = ['ignore', stream === 'stdout' ? place : 'pipe', stream === 'stderr' ? place : 'pipe']
  const args = [CLI, '--port', String(port)]
  const child = spawn(process.execPath, args, { cwd, env: environment(), stdio })
  t.teardown(() => void child.kill('SIGKILL'))
  if (typeof place === 'number') closeSync(place)
  let other = ''
  child[stream === 'stdout' ? 'stderr' : 'stdout']?.setEncoding('utf8').on('data', (text: string) => (other += text))
  if (broken) child[stream]?.destroy()
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
  const url = `http://127.0.0.1:${port}`
  await until(() => fetch(`${url}/__admin/health`).then(Boolean, () => child.exitCode !== null))
  return { child, ended, cwd, url, other: () => other }
}

for (const stream of ['stdout', 'stderr'] as const) {
  for (const how of Object.keys(breaks) as (keyof typeof breaks)[]) {
    const skip = breaks[how].broken || existsSync(FULL) ? false : `there is no ${FULL} here`
    t.test(`a server whose ${stream} ${how} serves on`, { skip }, async (t) => {
      const { child, ended, cwd, url, other } = await start(t, stream, how)
      for (const operation of ['nope', 'neither']) {
        writeFileSync(join(cwd, 'scenarios/mine.yaml'), `rules: [{ on: ${operation} }]\n`)
        if (stream === 'stdout') await until(() => other().includes(operation))
        else await new Promise((later) => setTimeout(later, 700))
        await fetch(`${url}/%zz`)
      }
      writeFileSync(join(cwd, 'scenarios/second.yaml'), 'rules: []\n')
      await until(async () => (await (await fetch(`${url}/__admin/scenarios`)).text()).includes('second'))
      t.equal(child.exitCode, null, 'the next edit takes effect')
      child.kill('SIGTERM')
      t.same(await ended, { code: 0, signal: null }, 'it ends well when it is asked to')
      t.notMatch(other(), /EPIPE|ENOSPC|\n {4}at /, 'it does not complain on the other stream')
    })
  }
}

t.test('a command whose output cannot be written says so, unless nobody reads it', async (t) => {
  const shell = (script: string) => launch(t, '/bin/sh', ['-c', script, process.execPath, CLI]).ended
  t.match(await shell('"$0" "$1" openapi | head -1'), { code: 0, out: /^{\n$/, err: /^$/ }, 'a reader that has enough')
  const told = /^countersign: Standard output cannot be written: ENOSPC: no space left on device[^\n]*\n$/
  if (existsSync(FULL)) t.match(await shell(`"$0" "$1" openapi > ${FULL}`), { code: 1, err: told }, 'a full disk')
  t.match(await shell(`"$0" "$1" nope 2> ${FULL}`), { code: 2, out: /^$/ }, 'a mistake that is not told is one still')
})
