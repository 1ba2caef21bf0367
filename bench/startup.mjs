import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { median, spread } from './statistics.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5) * 3
const path = (file) => fileURLToPath(new URL(file, import.meta.url))

const starts = {
  countersign: [path('../dist/cli.js'), '--port', '0'],
  'bare Fastify, unbundled': [path('targets/startup-fastify.mjs')],
  'node:http': [path('targets/startup-http.mjs')],
}

/** Peers that are installed in the folder BENCH_PEERS; they take the OpenAPI document, and a port that is told. */
const PORT = 4998
const document = path('../openapi.json')
const peers = {
  Prism: ['@stoplight/prism-cli/dist/index.js', 'mock', document, '-p', String(PORT)],
  Mockoon: ['@mockoon/cli/bin/run.js', 'start', '--data', document, '--port', String(PORT)],
}
for (const [name, [file, ...args]] of Object.entries(peers)) {
  const script = `${process.env.BENCH_PEERS ?? ''}/node_modules/${file}`
  if (process.env.BENCH_PEERS !== undefined && existsSync(script)) starts[name] = [script, ...args]
}

/** Milliseconds from spawn to the first answer, in turns. */
export async function startup() {
  const times = Object.fromEntries(Object.keys(starts).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(starts)) times[name].push(await firstAnswer([process.execPath, ...args]))
  }
  const reference = median(times['bare Fastify, unbundled'])
  return Object.entries(times).map(([name, values]) => ({
    what: name,
    'spawn to first answer, ms': median(values).toFixed(0),
    spread: spread(values.map((value) => Math.round(value))),
    'to bare Fastify': (median(values) / reference).toFixed(2),
  }))
}

/** Milliseconds from the spawn of a program to its first answer. */
export async function firstAnswer([program, ...args], { env = process.env, end = 'SIGKILL' } = {}) {
  const began = performance.now()
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.stdout.setEncoding('utf8')
  const url = args.includes(String(PORT)) ? `http://127.0.0.1:${PORT}` : await told(child)
  await answered(`${url}/client/signature`)
  const took = performance.now() - began
  child.kill(end)
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

/** Asks until there is an answer. */
async function answered(url) {
  for (;;) {
    const response = await fetch(url).catch(() => undefined)
    if (response !== undefined) return response.text()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
