import { cpSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { addressOf, folder, launch } from '../binary.js'
import { fetched } from '../helper.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** An installation of its own. */
function installation(t: Test): string {
  const path = join(folder(t), 'countersign')
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
  const url = await addressOf(launch(t, process.execPath, [join(path, 'dist/cli.js'), 'start', '--port', '0']))
  // What calls are sure to need has been loaded by then.
  await sleep(2_000)
  renameSync(path, `${path}-moved`)
  const headers = { authorization: 'Bearer token-admin' }
  for (const page of ['docs.js', 'openapi.json', 'dashboard.js'])
    t.match(await fetched(`${url}/__admin/${page}`), { status: 500, body: PROBLEM }, `${page} is gone`)
  t.match(await fetched(`${url}/__admin/health`), { status: 200 }, 'it answers on')
  const refused = await fetched(`${url}/api/v2/credits/histories?page=0`, { headers })
  t.match(refused.body, { error: { message: 'must be a whole number' } }, 'it tells what is wrong')
})

t.test('a command that exec runs may replace the package', { skip }, async (t) => {
  const path = installation(t)
  const script = `
    const { renameSync } = require('node:fs')
    setTimeout(async () => {
      renameSync(process.argv[1], process.argv[1] + '-moved')
      const { COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token } = process.env
      const headers = { authorization: 'Bearer ' + token }
      for (const way of ['/api/v2/credits/histories?page=0', '/__admin/state'])
        console.log((await fetch(url + way, { headers })).status)
    }, 2000)`
  const command = [process.execPath, '-e', script, path]
  const { out } = await launch(t, process.execPath, [join(path, 'dist/cli.js'), 'exec', '--', ...command]).ended
  t.match(out, '400\n200\n', 'invalid calls and admin are answered as ever')
})
