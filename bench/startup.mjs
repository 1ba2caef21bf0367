import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, spread } from './statistics.mjs'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5) * 3
const path = (file) => fileURLToPath(new URL(file, import.meta.url))

const starts = {
  countersign: [path('../dist/cli.js'), '--port', '0'],
  'bare Fastify, unbundled': [path('targets/startup-fastify.mjs')],
  'node:http': [path('targets/startup-http.mjs')],
}

/** Milliseconds from spawn to the first answer, in turns. */
export async function startup() {
  const times = Object.fromEntries(Object.keys(starts).map((name) => [name, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(starts)) times[name].push(await firstAnswer(args))
  }
  const reference = median(times['bare Fastify, unbundled'])
  return Object.entries(times).map(([name, values]) => ({
    what: name,
    'spawn to first answer, ms': median(values).toFixed(0),
    spread: spread(values.map((value) => Math.round(value))),
    'to bare Fastify': (median(values) / reference).toFixed(2),
  }))
}

async function firstAnswer(args) {
  const began = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((resolve) => {
    child.stdout.on('data', (chunk) => {
      const found = /http:\/\/127\.0\.0\.1:\d+/.exec(chunk)
      if (found !== null) resolve(found[0])
    })
  })
  await (await fetch(`${url}/client/signature`)).text()
  const took = performance.now() - began
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  return took
}
