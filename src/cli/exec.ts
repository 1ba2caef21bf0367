import { dirname } from 'node:path'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { UnusedRule } from '../coverage/gates.js'
import { countExchange, emptyReport, type RunReport } from '../coverage/report.js'
import { createServer, type Server } from '../server/create-server.js'
import type { Settings } from '../world/settings.js'
import { withUsableFiles } from './check-files.js'
import type { Command } from './command.js'
import { readCommandLine } from './command-line.js'
import { conclude } from './conclude.js'
import { readGates } from './gate-flags.js'
import { manual } from './manuals/exec.js'
import { readSettings } from './read-settings.js'
import { runChild } from './run-child.js'
import { requireSuite, suiteEnvironment, withMutant } from './suite.js'

/** Runs a command against its own server, then checks the run against the gates. */
export const exec: Command = async (argv, io) => {
  const { options, words, rest, own } = readCommandLine('exec', argv, manual.flags)
  const [command, ...args] = requireSuite('exec', words, rest)
  const settings = await withUsableFiles(options, io, () => readSettings(options, io))
  const contracts = contractsUnder(documented, settings.readings)
  const gates = readGates(own, contracts)
  const ready = await withMutant(ownPort(settings, options.port), contracts, io)
  const report = emptyReport()
  const server = await withUsableFiles(options, io, () =>
    createServer(ready, {
      notify: io.err,
      // The output is the child's.
      print: io.err,
      colour: io.colours.err,
      onExchange: (exchange) => countExchange(report, exchange),
    }),
  )
  const url = await server.listen()
  const { code, failure } = await runChild(command, args, suiteEnvironment(url, server, io), io)
  const unused = await unusedRules(server, report)
  await server.close()
  // A command that failed says more than that it called nothing.
  const judged = failure === undefined ? gates : { ...gates, allowIdle: true }
  const passed = await conclude({ report, contracts, gates: judged, unused, failure }, own, io)
  return code !== 0 ? code : passed ? 0 : 1
}

/** A free port unless the command line names one; nothing is watched. */
function ownPort(settings: Settings, port: number | undefined): Settings {
  return { ...settings, port: port ?? 0, watch: false }
}

/** The rules of scenarios that are on in the root and that no request met, in any world. */
function unusedRules({ worlds: { root } }: Server, { rules: met }: RunReport): Promise<UnusedRule[]> {
  const unused = root.playback.active
    .flatMap((scenario) => root.library.find(scenario) ?? [])
    .flatMap(({ name: scenario, rules }) => rules.map((rule, at) => ({ name: `${scenario}#${at + 1}`, rule })))
    .filter(({ name }) => !met[name])
  return Promise.all(
    unused.map(async ({ name, rule }) => {
      const place = await rule.place?.()
      // Others ship with the package, or were defined while the server ran.
      const isTheirs = place !== undefined && dirname(place.file) === root.settings.scenarios
      return isTheirs ? { name, place } : { name }
    }),
  )
}
