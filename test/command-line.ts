import type { Test } from 'tap'
import { api as documentedApi } from '../src/api/index.js'
import type { Io } from '../src/cli/command.js'
import { run as runCommandLine } from '../src/cli/run.js'
import type { Api } from '../src/engine/api.js'
import { addressOf, type Exit, environment, folder, type LaunchOptions, type Program } from './binary.js'

interface Terminal extends Pick<Program, 'out' | 'err'> {
  readonly io: Io
}

function terminal(
  t: Test,
  { cwd = folder(t), env }: LaunchOptions = {},
  signal: ReturnType<Io['waitForSignal']> = Promise.resolve('SIGINT'),
): Terminal {
  const out: string[] = []
  const err: string[] = []
  const io: Io = {
    out: (text) => void out.push(`${text}\n`),
    err: (text) => void err.push(`${text}\n`),
    environment: environment(env),
    log: (text) => void out.push(`${text}\n`),
    colours: { out: false, err: false },
    folder: cwd,
    waitForSignal: () => signal,
  }
  return { io, out: () => out.join(''), err: () => err.join('') }
}

export async function run(t: Test, args: readonly string[], place?: LaunchOptions, api?: Api): Promise<Exit> {
  // Stops a server at once; `mutate` and `verify` must not be interrupted.
  const never = new Promise<never>(() => {})
  return runInTerminal(terminal(t, place, ['mutate', 'verify'].includes(args[0] ?? '') ? never : undefined), args, api)
}

async function runInTerminal({ io, out, err }: Terminal, args: readonly string[], api = documentedApi): Promise<Exit> {
  const code = await runCommandLine(api, args, io)
  return { code, signal: null, out: out(), err: err() }
}

export async function serve(t: Test, args: readonly string[] = [], place?: LaunchOptions, api?: Api) {
  const { promise, end } = interruption()
  const { io, out, err } = terminal(t, place, promise)
  const ended = runInTerminal({ io, out, err }, [...args, '--port', '0'], api)
  t.teardown(async () => {
    end()
    await ended
  })
  return { out, err, url: await addressOf({ out, ended }) }
}

function interruption() {
  let end = () => {}
  const promise: ReturnType<Io['waitForSignal']> = new Promise((resolve) => {
    end = () => resolve('SIGINT')
  })
  return { promise, end }
}
