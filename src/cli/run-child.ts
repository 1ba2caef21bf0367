import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { quote } from '../text/wording.js'
import type { Io } from './command.js'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126

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

/** Runs another program to its end. */
export function runChild(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { folder: cwd }: Pick<Io, 'folder'>,
): Promise<Ended> {
  // Where no terminal is attached the child leads a group of its own, so that its children end with it.
  const grouped = process.platform !== 'win32' && !process.stdin.isTTY
  let child: ChildProcess | undefined
  const signal = (name: NodeJS.Signals) => kill(child, name, grouped)
  const passOn = PASSED_ON.map((name) => [name, () => signal(name)] as const)
  // Before the child is there: it may have its parent signalled at once.
  for (const [name, listener] of passOn) process.on(name, listener)
  const started = spawn(command, args, { env, stdio: 'inherit', detached: grouped, cwd })
  child = started
  return new Promise<Ended>((resolve) => {
    started.once('error', (error: NodeJS.ErrnoException) => {
      resolve(unrunnable(command, error))
    })
    started.once('close', (code, by) => resolve(by === null ? ended(code ?? 0) : endedBy(by)))
  }).finally(() => {
    for (const [name, listener] of passOn) process.off(name, listener)
    if (grouped) signal('SIGKILL')
  })
}

/** That a program could not be started. */
export function unrunnable(command: string, { code = '', message }: NodeJS.ErrnoException): Ended {
  const failure = `${quote(command)} cannot be run: ${REASONS[code] ?? message}.`
  return { code: code === 'ENOENT' ? NOT_FOUND : NOT_EXECUTABLE, failure }
}

export function ended(code: number): Ended {
  return code === 0 ? { code } : { code, failure: `The command exited with status ${code}.` }
}

export function endedBy(signal: NodeJS.Signals): Ended {
  const code = 128 + constants.signals[signal]
  return { code, failure: `The command was terminated by ${signal} (status ${code}).` }
}

function kill(child: ChildProcess | undefined, signal: NodeJS.Signals, grouped: boolean): void {
  if (child?.pid === undefined) return
  try {
    process.kill(grouped ? -child.pid : child.pid, signal)
  } catch {
    // It has ended already.
  }
}
