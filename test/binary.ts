import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'

export const CLI = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly out: string
  readonly err: string
}

export interface LaunchOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface Program {
  readonly child: ChildProcess
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<Exit>
}

/** The process's environment without the variables of the test runner and CI, and with `env` added. */
export function environment(env: LaunchOptions['env'] = {}): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(COUNTERSIGN|GITHUB_|NODE_|TAP|NO_COLOR|FORCE_COLOR)/.test(name),
  )
  return { ...Object.fromEntries(inherited), ...env }
}

export function launch(t: Test, command: string, args: readonly string[], { cwd, env }: LaunchOptions = {}): Program {
  const child = spawn(command, [...args], {
    cwd: cwd ?? folder(t),
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, out, err }))
  })
  t.teardown(() => void child.kill('SIGKILL'))
  return { child, out: () => out, err: () => err, ended }
}

const TIMEOUT = 30_000

export async function run(t: Test, args: readonly string[], place?: LaunchOptions): Promise<Exit> {
  const { child, ended } = launch(t, process.execPath, [CLI, ...args], place)
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT)
  const result = await ended
  clearTimeout(timer)
  return result
}

export async function serve(t: Test, args: readonly string[] = [], place?: LaunchOptions) {
  const running = launch(t, process.execPath, [CLI, ...args, '--port', '0'], place)
  return { ...running, url: await addressOf(running) }
}

export function addressOf({ out, ended }: Pick<Program, 'out' | 'ended'>): Promise<string> {
  return Promise.race([
    until(() => /listens at (https?:\S+)/.exec(out())?.[1]),
    ended.then(({ code, err }) => Promise.reject(new Error(`the server ended with status ${code}: ${err}`))),
  ])
}

export function folder(t: Test, files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'countersign-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  return path
}

/** Polls until `look` returns a truthy value, for at most `timeout` milliseconds. */
export async function until<T>(look: () => T | Promise<T>, timeout = 30_000, pause = 15): Promise<NonNullable<T>> {
  const end = performance.now() + timeout
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > end) throw new Error(`still falsy after ${timeout} ms: ${look}`)
    await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A zombie has ended, but its parent has not read its exit status yet.
    return !existsSync(`/proc/${pid}/stat`) || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
