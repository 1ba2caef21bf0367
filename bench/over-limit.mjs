// Sends bodies over the limit with every client that is there, and fails when one does not read the answer each time:
//   npm run over-limit -- --node /path/to/node --clients FOLDER
// The clients run on the Node that runs this, the server on the one named. FOLDER is where axios and undici are installed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases } from './cases.mjs'
import { clientsOf } from './over-limit/clients.mjs'
import { startServed } from './soak/served.mjs'
import { table } from './statistics.mjs'

const LIMIT = 1_000_000
/** Operations with a form, and one without. */
const OPERATIONS = ['uploadSignature', 'verifyDocument, file', 'createSigningLink']
/** Milliseconds after which a request that nobody answered counts as lost. */
const PATIENCE = 20_000

const { values } = parseArgs({
  options: {
    node: { type: 'string', default: process.execPath },
    clients: { type: 'string' },
    tries: { type: 'string', default: '200' },
    bytes: { type: 'string', default: String(3 * LIMIT) },
    only: { type: 'string', default: '' },
  },
})
const tries = Number(values.tries)
const size = Number(values.bytes)
if (!(tries > 0)) throw new Error('--tries must be a number over 0.')
if (!(size > LIMIT)) throw new Error(`--bytes must be over the limit, which is ${LIMIT}.`)

const folder = mkdtempSync(join(tmpdir(), 'countersign-over-limit-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
const bytes = Buffer.alloc(size, 'x')
const body = { bytes, blob: new Blob([bytes]), file: join(folder, 'body') }
writeFileSync(body.file, bytes)

const there = await clientsOf(body, values.clients && resolve(values.clients))
const clients = Object.entries(there).filter(([name]) => name.includes(values.only))
if (clients.length === 0)
  throw new Error(`No client is called '${values.only}': there are ${Object.keys(there).join('; ')}.`)
const server = await startServed(['--body-limit', String(LIMIT)], values.node)
const missed = new Map()
const rows = []
for (const [client, send] of clients) {
  for (const keepAlive of [true, false]) rows.push(await rowOf(client, send, keepAlive))
}
await server.stop()

console.log(`\nClients on Node ${process.version}, bodies of ${size} bytes, a limit of ${LIMIT}:\n\n${table(rows)}\n`)
for (const [what, times] of missed) console.log(`${times} times: ${what}`)
// Connections that are kept would keep this from ending.
process.exit(missed.size === 0 ? 0 : 1)

/** How many answers a client saw of each operation. */
async function rowOf(client, send, keepAlive) {
  const row = { client, 'keep-alive': keepAlive ? 'yes' : 'no' }
  for (const name of OPERATIONS) {
    const { method, url, headers } = cases.find((one) => one.name === name)
    const { authorization } = headers
    const call = { method, url: `http://127.0.0.1:${server.port}${url}`, headers: { authorization }, keepAlive }
    let seen = 0
    for (let nth = 0; nth < tries; nth++) {
      const answer = await answerTo(send, call)
      if (answer === '413 application/problem+json') seen++
      else count(`${client}, keep-alive ${row['keep-alive']}, ${name}: ${answer}`)
    }
    row[name.split(',')[0]] = `${seen}/${tries}`
  }
  console.error(Object.values(row).join('  '))
  return row
}

/** The status and the type of an answer, or why there is none. */
async function answerTo(send, call) {
  let timer
  const lost = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${PATIENCE} ms`)), PATIENCE)
  })
  try {
    const { status, type } = await Promise.race([send(call), lost])
    return `${status} ${String(type).split(';')[0]}`
  } catch (error) {
    const { message, code, cause } = error
    return [message, code, cause?.code, cause?.message].filter((one) => one !== undefined).join(', ')
  } finally {
    clearTimeout(timer)
  }
}

function count(what) {
  missed.set(what, (missed.get(what) ?? 0) + 1)
}
