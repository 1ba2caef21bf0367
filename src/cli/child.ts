import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { quote } from '../engine/contract/wording.js'
import type { Server } from '../server/create-server.js'
import { type Io, putAfterDashes, WrongUse } from './command.js'
import { ProcessTree } from './process-tree.js'

export type CommandLine = readonly [command: string, ...args: readonly string[]]

/** @throws {WrongUse} without a command after `--` */
export function requireSuite(
  name: string,
  operands: readonly string[],
  [command, ...args]: readonly string[],
): CommandLine {
  if (operands.length === 0 && command) return [command, ...args]
  const strange = operands[0] === undefined ? '' : ` ${quote(operands[0])} is not expected before --.`
  const empty = command === '' ? " '' is no command: is a variable empty?" : ''
  throw new WrongUse(`${putAfterDashes(name)}${strange}${empty}`)
}

export function suiteEnvironment(url: string, { sandboxes: { root } }: Server, environment: NodeJS.ProcessEnv) {
  const { adminToken } = root.settings
  return {
    ...environment,
    ...proxyExceptions(url, environment),
    COUNTERSIGN_URL: url,
    COUNTERSIGN_TOKEN: root.firstToken ?? '',
    COUNTERSIGN_ADMIN_URL: `${url}/__admin`,
    ...(adminToken !== undefined && { COUNTERSIGN_ADMIN_TOKEN: adminToken }),
  }
}

/** Many clients know no exception for loopback. */
function proxyExceptions(url: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isProxied = Object.entries(environment).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value)
  if (!isProxied) return {}
  const { hostname } = new URL(url)
  const hosts = [environment.NO_PROXY, environment.no_proxy, hostname.replace(/^\[|\]$/g, '')].filter(Boolean)
  // A lone * excepts all hosts.
  const all = hosts.includes('*') ? '*' : hosts.join(',')
  return { NO_PROXY: all, no_proxy: all }
}

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Characters of a quiet program's output. */
const KEPT = 4_000

/** With a signal, it runs quietly, and the end of its output is returned. */
export async function runChild(
  commandLine: CommandLine,
  env: NodeJS.ProcessEnv,
  { folder: cwd }: Io,
  signal?: AbortSignal,
) {
  const isQuiet = signal !== undefined
  // Without a terminal, it leads a group, so that its children end with it.
  const grouped = process.platform !== 'win32' && (isQuiet || !process.stdin.isTTY)
  let tree: ProcessTree | undefined
  let sent: NodeJS.Signals | undefined
  const passOn = (name: NodeJS.Signals) => {
    sent ??= name
    // In a terminal, Ctrl-C reaches the whole group.
    tree?.end(name, name !== 'SIGINT' || grouped)
  }
  const end = () => tree?.kill()
  // The child may signal its parent at once.
  if (!isQuiet) for (const name of PASSED_ON) process.on(name, passOn)
  const child = spawn(commandLine[0], commandLine.slice(1), {
    env,
    cwd,
    detached: grouped,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  })
  if (child.pid !== undefined) tree = new ProcessTree(child.pid, grouped)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT)
    })
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted) end()
  const ended = await endOf(child, commandLine)
  await tree?.ended()
  signal?.removeEventListener('abort', end)
  for (const name of PASSED_ON) process.off(name, passOn)
  if (sent === undefined || ended.code !== 0) return { ...ended, output }
  // A child that ends in order has not finished its work.
  const code = 128 + constants.signals[sent]
  return { code, failure: `The command was ended by ${sent} (status ${code}).`, output }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the command does not exist',
  EACCES: 'it is not a program, or you are not permitted to run it',
}

function endOf(child: ChildProcess, [command]: CommandLine) {
  return new Promise<{ code: number; failure?: string }>((resolve) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const failure = `${quote(command)} cannot be run: ${REASONS[code ?? ''] ?? message}.`
      resolve({ code: code === 'ENOENT' ? 127 : 126, failure })
    })
    // Not 'close': orphans may hold its output open.
    child.once('exit', (status: number | null, signal: NodeJS.Signals | null) => {
      // As shells do.
      const code = signal === null ? (status ?? 0) : 128 + constants.signals[signal]
      const how = signal === null ? `exited with status ${code}` : `was terminated by ${signal} (status ${code})`
      resolve(code === 0 ? { code } : { code, failure: `The command ${how}.` })
    })
  })
}
