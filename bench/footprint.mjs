// Milliseconds from spawn to the first answer, and resident memory after many mixed requests, compared with bare Fastify.
//   node bench/footprint.mjs [--rounds 15]
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { cases } from './cases.mjs'
import { median, spread, table } from './tables.mjs'
import { fileOf, repliesTo } from './target.mjs'

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } })
const REQUESTS = 40_000
const programs = {
  countersign: [fileURLToPath(new URL('../dist/cli.js', import.meta.url)), '--port', '0'],
  'bare Fastify': [fileOf('fastify')],
}
const starts = Object.fromEntries(Object.keys(programs).map((name) => [name, []]))
// Not measured: in newer versions of Node, the first start fills the cache of compiled code.
await timeToFirstAnswer(programs.countersign)
for (let round = 0; round < Number(options.rounds); round++)
  for (const [name, args] of Object.entries(programs)) starts[name].push(await timeToFirstAnswer(args))

const rows = Object.entries(starts).map(([what, times]) => ({
  what,
  'spawn to first answer, ms': median(times).toFixed(0),
  'to Fastify': (median(times) / median(starts['bare Fastify'])).toFixed(2),
  spread: spread(times.map((time, round) => time / starts['bare Fastify'][round])),
  bar: what === 'countersign' ? 1 : '',
}))
console.log(`\n## Start-up\n\n${table(rows)}`)

const small = cases.filter(({ name }) => !/KiB|MiB/.test(name))
const replies = await repliesTo(small)
const ours = await residentAfter('countersign')
const fastify = await residentAfter('bare Fastify')
const memory = [
  { what: 'countersign', 'resident, MB': ours.toFixed(0), 'to Fastify': (ours / fastify).toFixed(2), bar: 1.6 },
  { what: 'bare Fastify', 'resident, MB': fastify.toFixed(0), 'to Fastify': '1.00', bar: '' },
]
console.log(`\n## Memory after ${REQUESTS} mixed requests\n\n${table(memory)}`)

async function timeToFirstAnswer(args) {
  const started = performance.now()
  const { child, url } = await startProgram(args)
  await (await fetch(`${url}/client/signature`)).text()
  const took = performance.now() - started
  child.kill('SIGKILL')
  await once(child, 'exit')
  return took
}

async function startProgram(args, env = process.env) {
  // The folder bench/ has no scenarios or fixtures that the server would read.
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text
  })
  while (!/http:\/\/127\.0\.0\.1:\d+\s/.test(printed)) await once(child.stdout, 'data')
  return { child, url: /http:\/\/127\.0\.0\.1:\d+/.exec(printed)[0] }
}

async function residentAfter(name) {
  const { child, url } = await startProgram(programs[name], { ...process.env, REPLIES: JSON.stringify(replies) })
  await autocannon({ url, requests: small, connections: 32, amount: REQUESTS })
  const kilobytes = execFileSync('ps', ['-o', 'rss=', '-p', `${child.pid}`], { encoding: 'utf8' })
  child.kill('SIGKILL')
  await once(child, 'exit')
  return (Number(kilobytes) * 1_024) / 1e6
}
