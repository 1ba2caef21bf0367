import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { gateFlags, readGates } from '../coverage/gates.js'
import { countExchange, emptyReport, type Report } from '../coverage/report.js'
import { createServer, type Server } from '../server/create-server.js'
import { InvalidOption, readCommandLine, type Settings } from '../server/options.js'
import { quote } from '../text/wording.js'
import type { Command, Io } from './command.js'
import { conclude, reportFlags } from './conclude.js'
import { settingsOf } from './read-settings.js'

/** Runs a command against a server of its own, then holds the gates against what it did. */
export const exec: Command = async (argv, io) => {
  const { options, words, rest, own } = readCommandLine(argv, { ...gateFlags, ...reportFlags })
  const [command, ...args] = rest
  if (words.length > 0 || command === undefined) {
    throw new InvalidOption(
      `Say what to run after two dashes: countersign exec [options] -- npm test.${words[0] === undefined ? '' : ` ${quote(words[0])} is not expected before them.`}`,
    )
  }
  const gates = readGates(own)
  const report = emptyReport()
  const server = await createServer(ownPort(await settingsOf(options, io), options.port), {
    notify: io.err,
    onExchange: (exchange) => countExchange(report, exchange),
  })
  const url = await server.listen()
  const code = await run(command, args, environment(url, server, io), io)
  const unused = unusedRules(server, report)
  await server.close()
  const kept = await conclude(report, gates, unused, own, io)
  return code !== 0 ? code : kept ? 0 : 1
}

/** A free port unless the command line names one; nothing is watched. */
function ownPort(settings: Settings, port: number | undefined): Settings {
  return { ...settings, port: port ?? 0, watch: false }
}

function environment(url: string, { worlds, settings }: Server, io: Io): NodeJS.ProcessEnv {
  const [first] = worlds.root.state.collection('users').all()
  return {
    ...io.environment,
    COUNTERSIGN_URL: url,
    COUNTERSIGN_TOKEN: first?.token ?? '',
    COUNTERSIGN_ADMIN_URL: `${url}/__admin`,
    ...(settings.adminToken !== undefined && { COUNTERSIGN_ADMIN_TOKEN: settings.adminToken }),
  }
}

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126

/** Resolves with the child's exit code, or 128 and its signal's number, as shells have it. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv, io: Io): Promise<number> {
  // Where no terminal is attached the child leads a group of its own, so that its children end with it.
  const grouped = process.platform !== 'win32' && !process.stdin.isTTY
  const child = spawn(command, args, { env, stdio: 'inherit', detached: grouped, cwd: io.folder })
  const signal = (name: NodeJS.Signals) => kill(child, name, grouped)
  const passOn = PASSED_ON.map((name) => [name, () => signal(name)] as const)
  for (const [name, listener] of passOn) process.on(name, listener)
  return new Promise<number>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      const found = error.code !== 'ENOENT'
      io.err(`countersign: ${quote(command)} cannot be run: ${found ? error.message : 'there is no such command'}.`)
      resolve(found ? NOT_EXECUTABLE : NOT_FOUND)
    })
    child.once('close', (code, by) => resolve(code ?? 128 + (by === null ? 0 : constants.signals[by])))
  }).finally(() => {
    for (const [name, listener] of passOn) process.off(name, listener)
    if (grouped) signal('SIGKILL')
  })
}

function kill(child: ChildProcess, signal: NodeJS.Signals, grouped: boolean): void {
  if (child.pid === undefined) return
  try {
    process.kill(grouped ? -child.pid : child.pid, signal)
  } catch {
    // It has ended already.
  }
}

/** The rules of scenarios that are on in the root and that no request met, in any world. */
function unusedRules({ worlds: { root } }: Server, { rules }: Report): string[] {
  return root.playback.active
    .flatMap((name) => root.library.find(name) ?? [])
    .flatMap(({ name, rules: all, forces }) =>
      all.map((_, at) => (forces === undefined ? `${name}#${at + 1}` : `${name}#1`)),
    )
    .filter((rule) => !rules[rule])
}
