import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { addressOf, CLI, folder, launch } from '../binary.js'
import { fetched } from '../helper.js'

/** Notes every name and address but this machine's that a program looks up or connects to. */
const NOTING = `
const { appendFileSync } = require('node:fs')
const dns = require('node:dns')
const net = require('node:net')
const note = (what) => appendFileSync(process.env.NOTED, what + '\\n')
const isHere = (host) => host === undefined || /^(localhost|127\\.|::1$)/.test(host)
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6']) {
  for (const owner of [dns, dns.promises]) {
    const own = owner[name]
    owner[name] = (host, ...rest) => {
      if (!isHere(host)) note(host)
      return own.call(owner, host, ...rest)
    }
  }
}
const { connect } = net.Socket.prototype
net.Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  if (typeof options === 'object' && !options.path && !isHere(options.host)) note(options.host)
  return connect.apply(this, args)
}
`

t.test('nothing is asked of any other machine', async (t) => {
  const cwd = folder(t, { 'note.cjs': NOTING, 'child.mjs': `await fetch(process.env.COUNTERSIGN_URL)` })
  const noted = join(cwd, 'noted')
  const node = (...args: string[]) =>
    launch(t, process.execPath, ['--require', './note.cjs', ...args], { cwd, env: { NOTED: noted } })
  const url = await addressOf(node(CLI, '--port', '0'))
  for (const path of ['', '/__admin/', '/__admin/docs', '/__admin/openapi.json', '/__admin/requests', '/api/v2/x'])
    await fetched(url + path)
  for (const line of [
    'init',
    'validate',
    'list',
    'openapi',
    `health ${url}`,
    `verify --target ${url} --token token-admin --only listCreditHistories`,
    `exec -- ${process.execPath} child.mjs`,
  ])
    t.match(await node(CLI, ...line.split(' ')).ended, { code: 0 }, line)
  t.notOk(existsSync(noted), 'no name is looked up', { noted: existsSync(noted) && readFileSync(noted, 'utf8') })
  await node('--eval', `fetch('http://countersign.invalid').catch(() => {})`).ended
  t.match(readFileSync(noted, 'utf8'), 'countersign.invalid', 'one would be seen')
})
