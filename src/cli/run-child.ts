import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import { quote } from '../text/wording.js'
import type { Io } from './command.js'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
/** Characters of a quiet program's output. */
const KEPT = 4_000

/** Why a program cannot be run. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the command does not exist',
  EACCES: 'it is not a program, or you are not permitted to run it',
}

/** How a program ended. */
export interface Ended {
  /** Its exit code, or 128 and its signal's number, as shells have it. */
  readonly code: number
  /** What went wrong, as a sentence; undefined where it succeeded. */
  readonly failure?: string
}

export type Words = readonly [command: string, ...args: readonly string[]]

/** Runs another program to its end, in this terminal. */
export function runChild(words: Words, env: NodeJS.ProcessEnv, { folder: cwd }: Pick<Io, 'folder'>): Promise<Ended> {
  // Where no terminal is attached the child leads a group of its own, so that its children end with it.
  const grouped = process.platform !== 'win32' && !process.stdin.isTTY
  let child: ChildProcess | undefined
  const passOn = PASSED_ON.map((name) => [name, () => kill(child, name, grouped)] as const)
  // Before the child is there: it may have its parent signalled at once.
  for (const [name, listener] of passOn) process.on(name, listener)
  child = start(words, { env, stdio: 'inherit', detached: grouped, cwd })
  return endOf(child, words, 'close').finally(() => {
    for (const [name, listener] of passOn) process.off(name, listener)
    if (grouped) kill(child, 'SIGKILL', grouped)
  })
}

/** Runs a program whose output nobody sees but its end; its children end with it. */
export async function runQuietly(
  words: Words,
  env: NodeJS.ProcessEnv,
  { folder: cwd }: Pick<Io, 'folder'>,
  signal: AbortSignal,
): Promise<Ended & { readonly output: string }> {
  const grouped = process.platform !== 'win32'
  const child = start(words, { env, cwd, detached: grouped, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT)
    })
  const end = () => kill(child, 'SIGKILL', grouped)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  // What it leaves behind may hold its output open.
  const how = await endOf(child, words, 'exit')
  signal.removeEventListener('abort', end)
  if (grouped) end()
  return { ...how, output }
}

/** Starts a program; on Windows `npm` is a script, which Node alone does not start. */
function start([command, ...args]: Words, options: SpawnOptions): ChildProcess {
  return spawn(command, args, options)
}

function endOf(child: ChildProcess, [command]: Words, event: 'close' | 'exit'): Promise<Ended> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(unrunnable(command, error)))
    child.once(event, (code: number | null, by: NodeJS.Signals | null) =>
      resolve(by === null ? ended(code ?? 0) : endedBy(by)),
    )
  })
}

function unrunnable(command: string, { code = '', message }: NodeJS.ErrnoException): Ended {
  const failure = `${quote(command)} cannot be run: ${REASONS[code] ?? message}.`
  return { code: code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE, failure }
}

function ended(code: number): Ended {
  return code === 0 ? { code } : { code, failure: `The command exited with status ${code}.` }
}

function endedBy(signal: NodeJS.Signals): Ended {
  const code = 128 + constants.signals[signal]
  return { code, failure: `The command was terminated by ${signal} (status ${code}).` }
}

function kill(child: ChildProcess | undefined, signal: NodeJS.Signals, grouped: boolean): void {
  if (child?.pid === undefined) return
  try {
    // A signal ends the script alone on Windows, and not what it has started.
    if (process.platform === 'win32' && signal === 'SIGKILL') spawn('taskkill', ['/pid', `${child.pid}`, '/t', '/f'])
    else process.kill(grouped ? -child.pid : child.pid, signal)
  } catch {
    // It has ended already.
  }
}
