import { cpSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** A PDF that no world knows, so that it has to be read. */
function unknownPdf(): FormData {
  const known = readFileSync(join(root, 'fixtures/files/verified.pdf'), 'latin1')
  const form = new FormData()
  const bytes = Buffer.from(`${known}\n`, 'latin1')
  form.append('file', new Blob([bytes], { type: 'application/pdf' }), 'mine.pdf')
  form.append('user_uuid', '3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31')
  return form
}

const PROBLEM = {
  status: 500,
  code: 'files-missing',
  detail: 'The files of countersign were moved or replaced while it ran: restart it.',
}
const VERIFY = '/api/v2/verifications/document/verify?user_type=ENTERPRISE_API'

const skip = process.platform === 'linux' ? false : 'files that are open can be moved, and Node copied, on Linux'

t.test('files of the package that are gone while it runs are a problem of their own', { skip }, async (t) => {
  for (const [what, program] of [
    ['the package', (path: string) => [process.execPath, path]],
    ['the program that runs it', (path: string, node: string) => [node, path]],
  ] as const) {
    const path = installation(t)
    const node = join(dirname(path), 'node')
    cpSync(process.execPath, node)
    const [command = '', ...args] = program(join(path, 'dist/cli.js'), node)
    const running = launch(t, command, [...args, 'start', '--port', '0'])
    const url = await addressOf(running)
    // What calls are sure to need has been loaded by then.
    await sleep(2_000)
    const gone = what === 'the package' ? path : node
    renameSync(gone, `${gone}-moved`)
    const ask = async (way: string, init: RequestInit = {}) => {
      const headers = { authorization: 'Bearer token-admin' }
      const answer = await fetch(url + way, { headers, ...init })
      t.match(await answer.json(), PROBLEM, `${what} is gone: ${way}`)
      t.equal(answer.status, 500)
    }
    await ask(VERIFY, { method: 'POST', body: unknownPdf() })
    if (what === 'the package')
      for (const page of ['docs', 'openapi.json', 'dashboard.js']) await ask(`/__admin/${page}`)
    t.equal((await fetch(`${url}/__admin/health`)).status, 200, `${what} is gone: it answers on`)
    const refused = await fetch(`${url}/api/v2/credits/histories?page=0`, {
      headers: { authorization: 'Bearer token-admin' },
    })
    t.match(await refused.text(), /must be a whole number/, `${what} is gone: it tells what is wrong`)
  }
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
