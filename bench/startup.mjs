import { spawn } from 'node:child_process'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { answered } from './answered.mjs'
import { peers, startPeer } from './peers.mjs'
import { median, spread } from './statistics.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5) * 3
const path = (file) => fileURLToPath(new URL(file, import.meta.url))

const starts = {
  countersign: [path('../dist/cli.js'), '--port', '0'],
  'bare Fastify, unbundled': [path('targets/startup-fastify.mjs')],
  'node:http': [path('targets/startup-http.mjs')],
}

/** Node keeps compiled code from one start to the next. */
const keepsCode = module.enableCompileCache !== undefined

/** Milliseconds from spawn to the first answer, in turns. */
export async function startup() {
  const measures = Object.fromEntries([
    ...Object.entries(starts).map(([name, args]) => [name, () => firstAnswer(args)]),
    ...(keepsCode ? [['countersign, without compiled code', withoutCompiledCode]] : []),
    ...peers.map((name) => [name, () => firstAnswerOf(name)]),
  ])
  if (keepsCode) await compileOnce()
  const times = Object.fromEntries(Object.keys(measures).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, measure] of Object.entries(measures)) times[name].push(await measure())
  }
  const reference = median(times['bare Fastify, unbundled'])
  return Object.entries(times).map(([name, values]) => ({
    what: name,
    'spawn to first answer, ms': median(values).toFixed(0),
    spread: spread(values.map((value) => Math.round(value))),
    'to bare Fastify': (median(values) / reference).toFixed(2),
  }))
}

/** Milliseconds from the spawn of a server to its first answer. */
async function firstAnswer(args, env = process.env) {
  const began = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.setEncoding('utf8')
  const url = await told(child)
  await answered(`${url}/client/signature`)
  const took = performance.now() - began
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  return took
}

function told({ stdout }) {
  return new Promise((resolve) => {
    stdout.on('data', (text) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)
      if (found !== null) resolve(found[0])
    })
  })
}

function withoutCompiledCode() {
  return firstAnswer(starts.countersign, { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' })
}

/** Node writes its compiled code as it ends. */
async function compileOnce() {
  const child = spawn(process.execPath, starts.countersign, { stdio: 'ignore' })
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  child.kill()
  await new Promise((resolve) => child.once('exit', resolve))
}

async function firstAnswerOf(peer) {
  const began = performance.now()
  const { stop } = await startPeer(peer, [
    { method: 'GET', path: '/client/signature', status: 200, headers: {}, body: '{}' },
  ])
  const took = performance.now() - began
  await stop()
  return took
}
