import { dirname } from 'node:path'
import type { Contract } from '../../schemas/contract.js'
import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import type { UnusedRule } from '../coverage/gates.js'
import { countExchange, emptyReport, type RunReport } from '../coverage/report.js'
import { createServer, type Server } from '../server/create-server.js'
import { InvalidOption } from '../server/invalid-option.js'
import { optionNames } from '../server/options.js'
import { quote } from '../text/wording.js'
import { withUsableFiles } from './check-files.js'
import { requireSuite, runChild, suiteEnvironment } from './child.js'
import type { CliCommand, Given, Io } from './command.js'
import { readSettings } from './files.js'
import { conclude, type RunFlags, readGates, runFlags } from './gates.js'
import { IN_GITHUB_ACTIONS } from './reports.js'

/** Runs a command against its own server, then checks the run against the gates. */
export const command: CliCommand = {
  runsAnother: true,
  about: `Starts its own server, runs a command such as a test suite against it, stops the server, and checks the run against the gates. Everything after -- belongs to the command.

The server listens on a free port unless you pass --port; a port in the config file or the environment is ignored. It never watches files. Its output goes to standard error; standard output belongs to the command.

${IN_GITHUB_ACTIONS}`,
  flags: runFlags,
  options: optionNames,
  meanings: {
    port: 'Port to listen on (default: a free one).',
    watch: 'Has no effect here: files are never watched.',
  },
  sections: {
    'Environment variables set for the command': `
COUNTERSIGN_URL          base URL of the server
COUNTERSIGN_TOKEN        the first user's token
COUNTERSIGN_ADMIN_URL    base URL of the admin API
COUNTERSIGN_ADMIN_TOKEN  the token set with --admin-token, if any`,
    'Values of --fail-on': `
violations      requests that depart from the document, or are clearly mistakes
violations:all  also requests that depart only from one of our readings
unmatched       requests that match no operation
unused          rules of active scenarios that no request matched
deviations      answers that depart from the document, and calls that the provider did not answer`,
    'Exit status': `
0      the command succeeded, and all gates passed
1      a gate failed, a report could not be written, or a file or the environment is invalid
2      the command line is invalid
other  the command's own status, if it failed; 126 or 127 if it cannot be run; 128 plus the number of the signal
       that ended it`,
    Examples: `
countersign exec -- npm test
countersign exec --fail-on violations,unmatched --min-coverage 80 --junit junit.xml -- npm test
countersign exec --require addOrganizationMember:409 --coverage shard-1.json -- npx playwright test --shard 1/2
countersign exec --coverage shard-2.json -- npx playwright test --shard 2/2`,
  },
  async run({ options, flags, words, rest }: Given<RunFlags>, io) {
    const command = requireSuite('exec', words, rest)
    const settings = await withUsableFiles(options, io, () => readSettings(options, io))
    const contracts = contractsUnder(documented, settings.readings)
    const gates = readGates(flags, contracts)
    const mutant = await mutantIn(io, contracts)
    const report = emptyReport()
    const server = await withUsableFiles(options, io, () =>
      createServer(
        { ...settings, port: options.port ?? 0, watch: false, mutant },
        {
          notify: io.err,
          // The output is the child's.
          print: io.err,
          colour: io.colours.err,
          onExchange: (exchange) => countExchange(report, exchange),
        },
      ),
    )
    const url = await server.listen()
    const { code, failure } = await runChild(command, suiteEnvironment(url, server, io), io)
    const unused = await unusedRules(server, report)
    await server.close()
    // A command that failed says more than that it called nothing.
    const judged = failure === undefined ? gates : { ...gates, allowIdle: true }
    const passed = await conclude({ report, contracts, gates: judged, unused, failure }, flags, io)
    return code !== 0 ? code : passed ? 0 : 1
  },
}

/**
 * The mutant that the environment names, for a debugger.
 * @throws {InvalidOption} where there is no such mutant
 */
async function mutantIn({ environment }: Io, contracts: readonly Contract[]): Promise<string | undefined> {
  const { COUNTERSIGN_MUTANT: mutant } = environment
  if (!mutant) return undefined
  const { mutantNamed } = await import('../coverage/mutants/mutants.js')
  if (mutantNamed(mutant, contracts) !== undefined) return mutant
  throw new InvalidOption(
    `COUNTERSIGN_MUTANT names no mutant: ${quote(mutant)}. 'countersign list mutants' shows them all.`,
  )
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
