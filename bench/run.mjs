// Measures everything, and writes bench/RESULTS.md. Takes about twelve minutes, and forty with peers: leave the machine
// alone meanwhile.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release } from 'node:os'
import { growth } from './growth.mjs'
import { loading } from './loading.mjs'
import { memory, memoryOfAll } from './memory.mjs'
import { forwardedMemory, forwarding } from './provider.mjs'
import { size } from './size.mjs'
import { startup } from './startup.mjs'
import { table } from './statistics.mjs'
import { throughput } from './throughput.mjs'
import { watched } from './watched.mjs'
import { waysToAWorld } from './ways.mjs'
import { worlds } from './worlds.mjs'

const file = new URL('RESULTS.md', import.meta.url)
const version = (name) =>
  JSON.parse(readFileSync(new URL(`../node_modules/${name}/package.json`, import.meta.url))).version
/** What people wrote below the tables stays. */
const NOTES = '<!-- notes -->'
const notes = readFileSync(file, 'utf8').split(NOTES)[1] ?? '\n'

const sections = [
  ['Start-up', table(await startup())],
  ['Throughput, 1 connection', table(await throughput(1))],
  ['Throughput, 32 connections', table(await throughput(32))],
  ['Watched, 32 connections', table(await watched(32))],
  ['Growth (records in each collection)', table(await growth())],
  ['Loading 200,000 records in each large collection', table(await loading())],
  ['Worlds', table(await worlds())],
  ['Ways to a world, 32 connections', table(await waysToAWorld(32))],
  ['Memory after 40,000 mixed requests', table(await memoryOfAll())],
  ['Memory in the long run', table(await memory())],
  ['In front of a provider, 1 connection', table(await forwarding(1))],
  ['In front of a provider, 32 connections', table(await forwarding(32))],
  ['In front of a provider, memory', table(await forwardedMemory())],
  ['The bundle', table(size())],
]
const machine = `${cpus().length} × ${cpus()[0].model.trim()}, Linux ${release().split('-')[0]}, Node ${process.version}, Fastify ${version('fastify')}, @fastify/multipart ${version('@fastify/multipart')}`
writeFileSync(
  file,
  `# Results

\`npm run bench\` on ${machine}.

Throughput is in requests per second of the server's CPU time; the ratios are to a bare Fastify app that answers the
same bytes through the same @fastify/multipart, in the same run and in turns. Every answer's status is checked. Each figure is the median of the rounds. The spread is minimum–maximum.

${sections.map(([title, text]) => `## ${title}\n\n${text}`).join('\n\n')}

${NOTES}${notes}`,
)
console.log(`wrote ${file.pathname}`)
