import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { addressOf, folder, launch } from '../binary.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An installation of its own. */
function installation(t: Parameters<typeof folder>[0]): string {
  const path = join(folder(t), 'countersign')
  mkdirSync(path)
  for (const part of ['dist', 'fixtures', 'package.json'])
    cpSync(join(root, part), join(path, part), { recursive: true })
  return path
}

const PROBLEM = {
  status: 500,
  code: 'files-missing',
  detail: 'The files of countersign were moved or replaced while it was running. Restart it.',
}

const skip = process.platform === 'linux' ? false : 'files that are open can be moved on Linux'

t.test('files of the package that are gone while it runs are a problem of their own', { skip }, async (t) => {
  const path = installation(t)
  const running = launch(t, process.execPath, [join(path, 'dist/cli.js'), 'start', '--port', '0'])
  const url = await addressOf(running)
  // What calls are sure to need has been loaded by then.
  await sleep(2_000)
  renameSync(path, `${path}-moved`)
  const headers = { authorization: 'Bearer token-admin' }
  for (const page of ['docs', 'openapi.json', 'dashboard.js']) {
    const answer = await fetch(`${url}/__admin/${page}`, { headers })
    t.match(await answer.json(), PROBLEM, `${page} is gone`)
    t.equal(answer.status, 500, `${page} is gone: the status says so`)
  }
  t.equal((await fetch(`${url}/__admin/health`)).status, 200, 'it answers on')
  const refused = await fetch(`${url}/api/v2/credits/histories?page=0`, { headers })
  t.match(await refused.text(), /must be a whole number/, 'it tells what is wrong')
})

t.test('a command that exec runs may replace the package', { skip }, async (t) => {
  const path = installation(t)
  const script = `
    const { renameSync } = require('node:fs')
    setTimeout(async () => {
      renameSync(process.argv[1], process.argv[1] + '-moved')
      const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
      const headers = { authorization: 'Bearer ' + token }
      for (const way of ['/api/v2/credits/histories?page=0', '/__admin/state']) {
        const answer = await fetch(url + way, { headers })
        await answer.text()
        console.log(answer.status)
      }
    }, 2000)`
  const { ended } = launch(t, process.execPath, [
    join(path, 'dist/cli.js'),
    'exec',
    '--',
    process.execPath,
    '-e',
    script,
    path,
  ])
  t.match((await ended).out, '400\n200\n', 'invalid calls and admin are answered as ever')
})
