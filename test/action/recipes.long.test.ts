import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { folder, serve } from '../binary.js'
import { freePort, listen } from '../forward/provider.js'
import { blocksOf } from '../pages/pages.js'
import { copyOf, installed, root, runAction, runSteps, type Words } from './runner.js'

/** The steps in docs/ci.md, except those that set up Node. */
const steps = blocksOf('docs/ci.md')
  .filter(({ kind }) => kind === 'workflow')
  .flatMap(({ text }) => [parse(text)].flat().flatMap((part) => part.steps ?? part))
  .filter(({ uses = '', run }) => uses.startsWith('OWNER/') || (run ?? 'npm ci') !== 'npm ci')
const [ownServer, suite, deployment] = steps as readonly { readonly run: string; readonly with: Words }[]

const countersign = installed(t)

function project(t: Test, script: string): { path: string; env: Words } {
  const bin = folder(t, { npm: `#!/bin/sh\n[ "$1" = test ] || exit 1\n${script}\n` })
  chmodSync(join(bin, 'npm'), 0o755)
  return { path: copyOf(t, countersign, {}), env: { PATH: `${bin}${delimiter}${process.env.PATH}` } }
}

const MEETS_ALL = `node "${join(root, 'test/pages/suite.mjs')}"`

t.test('docs/ci.md has three recipes', async (t) => {
  t.match(
    [steps.length, ownServer?.run, suite?.with, deployment?.with],
    [3, /npm test/, { run: 'npm test' }, { command: 'verify' }],
  )
})

t.test('the commands in docs/ci.md check gates and add up shards', async (t) => {
  const [gates, shards, ...more] = blocksOf('docs/ci.md').flatMap(({ language, text }) =>
    language === 'sh' ? text : [],
  )
  t.same(more, [], 'there are two blocks')
  const run = (commands: string, script: string) => {
    const { path, env } = project(t, script)
    return runSteps(t, path, [{ run: commands }], env)
  }
  for (const commands of [gates ?? '', shards ?? '']) {
    const good = await run(commands, MEETS_ALL)
    t.match(good, { outcome: 'success' }, 'a suite that meets all outcomes', { log: good.log })
    t.match(await run(commands, 'true'), { outcome: 'failure', log: /✗ idle/ }, 'a suite that calls nothing')
  }
})

t.test('a step waits for its own server and ends it, and fails if the port is taken', async (t) => {
  const port = await freePort()
  const runStep = (script: string, port: number) => {
    const { path, env } = project(t, script)
    return runSteps(t, path, [ownServer!], { ...env, COUNTERSIGN_PORT: `${port}` })
  }
  const health = `node_modules/.bin/countersign health`
  t.match(await runStep('exit 3', port), { outcome: 'failure' })
  t.match(await runStep(health, port), { outcome: 'success', log: /is ready\./ }, 'the port is free again')
  const { url } = await serve(t)
  const other = await runStep(health, Number(new URL(url).port))
  t.match(other, { outcome: 'failure', log: /is already in use/ }, 'another countersign uses the port')
  t.notMatch(other.log, /is ready/, 'the other server does not count as ready')
  t.match(await runStep(health, await listen(t, createServer())), { outcome: 'failure' }, 'another program')
})

t.test('verify fails for drift, for a bad token and for an outage', async (t) => {
  const verify = async (target: string, token = 'token-admin') => {
    const options = '--strict --retries 0'
    return runAction(t, copyOf(t, countersign, {}), { ...deployment?.with, target, token, options })
  }
  const { url } = await serve(t)
  t.match(await verify(url), { outcome: 'success', outputs: { status: '0' } })
  t.match(await verify(url, 'wrong'), { outcome: 'failure', outputs: { status: '2' } })
  t.match(await verify(`http://127.0.0.1:${await freePort()}`), { outcome: 'failure', outputs: { status: '3' } })
  const drifting = await serve(t, ['--scenario', 'mutant:listCreditHistories:200/total/one-more'])
  t.match(await verify(drifting.url), { outcome: 'failure', outputs: { status: '1' } })
})
