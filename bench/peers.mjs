// Other mock servers, measured on the same work where they are installed in the folder BENCH_PEERS:
// npm i --ignore-scripts @stoplight/prism-cli @mockoon/cli msw @mswjs/http-middleware openapi-backend wiremock
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { answered } from './answered.mjs'

const folder = process.env.BENCH_PEERS && join(process.env.BENCH_PEERS, 'node_modules')
const document = fileURLToPath(new URL('../openapi.json', import.meta.url))

/** How each is started on a port, to answer what the routes say; by the document, where that is what it is made for. */
const commands = {
  Prism: (port) => script('@stoplight/prism-cli/dist/index.js', ['mock', document, '-p', port, '-v', 'fatal']),
  Mockoon: (port) =>
    script('@mockoon/cli/bin/run.js', ['start', '--data', document, '--port', port, '--disable-log-to-file']),
  MSW: (port, routes) => [
    process.execPath,
    [
      fileURLToPath(new URL('targets/msw.mjs', import.meta.url)),
      folder,
      port,
      write('routes.json', JSON.stringify(routes)),
    ],
  ],
  'openapi-backend': (port) => [
    process.execPath,
    [fileURLToPath(new URL('targets/openapi-backend.mjs', import.meta.url)), folder, port, document],
  ],
  WireMock: (port, routes) => [
    'java',
    [
      '-jar',
      wireMock(),
      '--port',
      port,
      '--root-dir',
      wireMockFiles(routes),
      '--max-request-journal-entries',
      '1000',
      '--disable-banner',
    ],
  ],
}

const packages = {
  Prism: '@stoplight/prism-cli',
  Mockoon: '@mockoon/cli',
  MSW: '@mswjs/http-middleware',
  'openapi-backend': 'openapi-backend',
  WireMock: 'wiremock',
}

/** The peers that are there. */
export const peers = Object.keys(commands).filter((name) => folder && existsSync(join(folder, packages[name])))

/** The command line of a peer. */
function commandOf(name, port, routes = []) {
  return commands[name](String(port), routes)
}

/** Starts a peer, and waits for its first answer; as what `startTarget` gives. */
export async function startPeer(name, routes) {
  const port = await freePort()
  const [program, args] = commandOf(name, port, routes)
  const child = spawn(program, args, { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  await answered(url)
  return {
    name,
    url,
    usage: async () => usageOf(child.pid),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve)
        child.kill('SIGKILL')
      }),
  }
}

/** CPU microseconds and resident bytes of a process, as Linux tells them. */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return { cpu: ticks * 10_000, rss: Number(kilobytes) * 1024 }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}

function script(file, args) {
  return [process.execPath, [join(folder, file), ...args]]
}

function write(name, content) {
  const file = join(mkdtempSync(join(tmpdir(), 'countersign-bench-')), name)
  writeFileSync(file, content)
  return file
}

function wireMock() {
  const build = join(folder, 'wiremock/build')
  return join(
    build,
    readdirSync(build).find((name) => name.endsWith('.jar')),
  )
}

function wireMockFiles(routes) {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  mkdirSync(join(root, 'mappings'))
  const mappings = routes.map(({ method, path, status, headers, body }) => ({
    request: { method, urlPath: path },
    response: { status, headers, body },
  }))
  writeFileSync(join(root, 'mappings/all.json'), JSON.stringify({ mappings }))
  return root
}
