import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { quote } from '../engine/contract/wording.js'
import type { Server } from '../server/create-server.js'
import { dashesAdvice, type Io, WrongUse } from './command.js'
import { ProcessGroup } from './process-group.js'

export type CommandLine = readonly [command: string, ...args: readonly string[]]

/** @throws {WrongUse} unless only a command follows, after `--` */
export function requireCommandLine(name: string, [operand]: readonly string[], [command, ...args]: readonly string[]) {
  if (operand === undefined && command) return [command, ...args] as const
  const beforeDashes = operand === undefined ? '' : ` ${quote(operand)} is not expected before --.`
  const empty = command === '' ? " The command is ''. Is a variable empty?" : ''
  throw new WrongUse(`${dashesAdvice(name)}${beforeDashes}${empty}`)
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

/** Many clients would use the proxy for loopback, too. */
function proxyExceptions(url: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isProxied = Object.entries(environment).some(([name, value]) => /^(https?|all)_proxy$/i.test(name) && value)
  if (!isProxied) return {}
  const { hostname } = new URL(url)
  const hosts = [environment.NO_PROXY, environment.no_proxy, hostname.replace(/^\[|\]$/g, '')].filter(Boolean)
  // A * excepts all hosts only if it stands alone.
  const exceptions = hosts.includes('*') ? '*' : hosts.join(',')
  return { NO_PROXY: exceptions, no_proxy: exceptions }
}

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const MAX_OUTPUT_CHARACTERS = 4_000

/** If you pass `signal`, the command prints nothing, and the end of its output is returned. */
export async function runChild(
  commandLine: CommandLine,
  env: NodeJS.ProcessEnv,
  { folder: cwd }: Io,
  signal?: AbortSignal,
) {
  const isQuiet = signal !== undefined
  // Unless it uses the terminal, the command leads a process group, so that its children end with it.
  const isGroupLeader = process.platform !== 'win32' && (isQuiet || !process.stdin.isTTY)
  let group: ProcessGroup | undefined
  let firstSignal: NodeJS.Signals | undefined
  const forward = (name: NodeJS.Signals) => {
    firstSignal ??= name
    group?.end(name)
  }
  const kill = () => group?.kill()
  // Before the child starts: it may signal its parent at once.
  if (!isQuiet) for (const name of FORWARDED_SIGNALS) process.on(name, forward)
  const child = spawn(commandLine[0], commandLine.slice(1), {
    env,
    cwd,
    detached: isGroupLeader,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  })
  if (child.pid !== undefined) group = new ProcessGroup(child.pid, isGroupLeader)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-MAX_OUTPUT_CHARACTERS)
    })
  signal?.addEventListener('abort', kill, { once: true })
  if (signal?.aborted) kill()
  const exit = await waitForExit(child, commandLine)
  await group?.cleanUp()
  signal?.removeEventListener('abort', kill)
  for (const name of FORWARDED_SIGNALS) process.off(name, forward)
  if (firstSignal === undefined || exit.code !== 0) return { ...exit, output }
  // A command that exits with 0 after a signal has not finished its work.
  const code = 128 + constants.signals[firstSignal]
  return { code, failure: `The command ended after ${firstSignal} (status ${code}).`, output }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the command does not exist',
  EACCES: 'it is not a program, or you are not permitted to run it',
}

function waitForExit(child: ChildProcess, [command]: CommandLine) {
  return new Promise<{ code: number; failure?: string }>((resolve) => {
    child.once('error', ({ code, message }: NodeJS.ErrnoException) => {
      const failure = `${quote(command)} cannot be run: ${REASONS[code ?? ''] ?? message}.`
      resolve({ code: code === 'ENOENT' ? 127 : 126, failure })
    })
    // Not 'close': orphans may hold its output open.
    child.once('exit', (status: number | null, signal: NodeJS.Signals | null) => {
      // Shells add 128, too.
      const code = signal === null ? (status ?? 0) : 128 + constants.signals[signal]
      const how = signal === null ? `exited with status ${code}` : `was terminated by ${signal} (status ${code})`
      resolve(code === 0 ? { code } : { code, failure: `The command ${how}.` })
    })
  })
}
