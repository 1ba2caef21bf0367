import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { type Api, contractsOf } from '../engine/api.js'
import { type Contract, outcomeIdsOf } from '../engine/contract/contract.js'
import { groupBy } from '../engine/contract/group-by.js'
import { createServer, type Server } from '../server/create-server.js'
import { optionNames } from '../server/options.js'
import type { FinishedRun, Gates, MinCoverage, UnusedRule } from '../tools/coverage/gates.js'
import { FAIL_ON, NATURAL_SUFFIX, outcomeIn } from '../tools/coverage/gates.js'
import { describeFailureCount, gatesReport } from '../tools/coverage/gates-report.js'
import type { ExpectedOutcome } from '../tools/coverage/plugin.js'
import { type CountedRule, recordRun, recordUnmet } from '../tools/coverage/run-report.js'
import { findingLines, terminalText } from '../tools/report/report.js'
import { requireCommandLine, runChild, suiteEnvironment } from './child.js'
import { type CliCommand, type CommandInput, type FlagValues, type Io, WrongUse } from './command.js'
import { flag, listFlag, nameList, percentage, requireAllowed, subsetOf, toggle } from './flags.js'
import { GITHUB_ACTIONS_HELP, publishReport, reportFlags, setUpRun } from './publish-report.js'

function minCoverage(text: string, source: string): MinCoverage {
  const isNatural = text.endsWith(NATURAL_SUFFIX)
  return { percent: percentage(isNatural ? text.slice(0, -NATURAL_SUFFIX.length) : text, source), isNatural }
}

export const runFlags = ({ sampleOutcome }: Api) => ({
  failOn: listFlag(
    '<LIST>',
    `Fail if the run contains any of these, comma-separated: ${FAIL_ON.join(', ')}. Repeatable.`,
    subsetOf(FAIL_ON),
  ),
  require: listFlag(
    '<OUTCOMES>',
    `Outcomes that must occur in the run, such as ${sampleOutcome},… With ${NATURAL_SUFFIX} at its end, an outcome does not count if preferences or scenarios forced each of its answers. Repeatable.`,
    nameList,
  ),
  allowIdle: toggle('Accept a run without requests: --fail-on is not judged, but --require and --min-coverage are.'),
  minCoverage: flag(
    '<PERCENT>',
    `Percentage of all outcomes that must occur in the run, 0 to 100. With ${NATURAL_SUFFIX} at its end, forced answers do not count.`,
    minCoverage,
  ),
  ...reportFlags,
  coverage: flag('<FILE>', "Write the coverage as JSON, for 'npx countersign coverage' to add up."),
})

type RunFlags = FlagValues<ReturnType<typeof runFlags>>

export const command = (api: Api): CliCommand => ({
  startsServer: true,
  runsChild: true,
  about: `Starts its own server, runs a command such as a test suite against it, stops the server, and checks the run against the gates. Everything after -- belongs to the command.

The server listens on a free port unless you pass --port; a port in the config file or the environment is ignored. It never watches files. Its output goes to standard error; standard output belongs to the command.

${GITHUB_ACTIONS_HELP}`,
  flags: runFlags(api),
  options: optionNames.filter((name) => name !== 'watch'),
  optionHelp: { port: 'Port to listen on (default: a free one).' },
  sections: {
    'Environment variables set for the command': `
COUNTERSIGN_URL          base URL of the server
COUNTERSIGN_TOKEN        the first user's token
COUNTERSIGN_ADMIN_URL    base URL of the admin API
COUNTERSIGN_ADMIN_TOKEN  the token set with --admin-token, if any`,
    'Values of --fail-on': `
violations      requests that depart from the API document, or contain a suspicious value or name
violations:all  also requests that depart only from one of our interpretations
unmatched       requests that match no operation
unused          rules of active scenarios that answered no request; a shipped scenario counts as one rule
deviations      answers that depart from the API document, or could not be read, and requests that the provider
                did not answer: it could not be reached, answered only with 500, or with a gateway status
not-judged      other gates that had nothing to judge

A gate is not judged if it found nothing before the command failed, or if it applied to no request: there was
none, all asked for their answer (Prefer), no scenario was active, or none was forwarded to a provider.`,
    'Exit status': `
0      the command succeeded, and all gates passed
1      a gate failed, no request arrived, a report could not be written, or a file or the environment is invalid
2      the command line is invalid
other  the command's own status, if it failed; 126 or 127 if it cannot be run; 128 plus the number of the signal
       that ended it`,
    Examples: `
npx countersign exec --fail-on violations,unmatched --min-coverage 80 --junit junit.xml -- npm test
npx countersign exec --require ${api.sampleOutcome} --coverage shard-1.json -- npx playwright test --shard 1/2`,
  },
  async run({ options, flags, operands, rest }: CommandInput<ReturnType<typeof runFlags>>, io) {
    const command = requireCommandLine('exec', operands, rest)
    const settings = await setUpRun(api, io, options, flags)
    const execSettings = { ...settings, port: options.port ?? 0, watch: false }
    const unmet: ExpectedOutcome[] = []
    const server = await createServer(api, execSettings, {
      onUnmet: (expected) => unmet.push(expected),
      notify: io.err,
      // Standard output is the child's.
      print: io.err,
      colour: io.colours.err,
    })
    const gates = readGates(flags, contractsOf(server.api))
    const url = await server.listen()
    // A free port differs from run to run; a report must not.
    const reportedUrl = execSettings.port === 0 ? url.replace(/\d+$/, `${settings.port}`) : url
    const { run, rules } = recordRun(server.sandboxes, reportedUrl)
    const { code, failure = null } = await runChild(command, suiteEnvironment(url, server, io.environment), io)
    await server.close()
    const countedRules = [...rules()]
    const unused = await unusedRules(server, countedRules)
    for (const expected of unmet) recordUnmet(run, expected)
    const counts = Object.fromEntries(countedRules.map(([name, { count }]) => [name, count]))
    const runs = [{ id: randomUUID(), calls: run.calls }]
    const finished = { run: { ...run, runs, failure, rules: counts }, api: server.api, gates, unused }
    const isPassed = await reportRun(finished, flags, io)
    if (code !== 0) return code
    return isPassed ? 0 : 1
  },
})

/** A shipped scenario is used if one of its rules is used. */
async function unusedRules(
  { settings }: Server,
  rules: readonly (readonly [name: string, counted: CountedRule])[],
): Promise<UnusedRule[]> {
  const isUsed = (scenario: string) => rules.some(([name, { count }]) => count > 0 && name.startsWith(`${scenario}#`))
  const unused = rules.filter(([, { count, shippedIn }]) => count === 0 && !(shippedIn && isUsed(shippedIn)))
  const byName = [...groupBy(unused, ([name, { shippedIn = name }]) => shippedIn)]
  return Promise.all(
    byName.map(async ([name, group]) => {
      const places = await Promise.all(group.map(([, { rule }]) => rule.place?.()))
      const on = [...new Set(group.flatMap(([, { rule }]) => rule.on))]
      // The files of shipped scenarios cannot be edited.
      const place = places.find((one) => one && dirname(one.file) === settings().scenarios)
      return { name, on: on.includes('*') ? '*' : (on as Exclude<UnusedRule['on'], '*'>), place }
    }),
  )
}

/** `met`: outcomes of the merged reports. @throws {WrongUse} for an unknown outcome, or for not-judged alone */
export function readGates(flags: RunFlags, contracts: readonly Contract[], met: readonly string[] = []): Gates {
  const { failOn = [], require = [], allowIdle = false } = flags
  const minCoverage = flags.minCoverage?.percent === 0 ? undefined : flags.minCoverage
  const outcomes = [...new Set([...outcomeIdsOf(contracts), ...met])]
  for (const outcome of require) requireAllowed('--require', outcomeIn(outcome), outcomes)
  if (failOn.length === 1 && failOn[0] === 'not-judged' && require.length === 0 && minCoverage === undefined)
    throw new WrongUse('--fail-on not-judged is about other gates. Set one of them as well.')
  return { failOn, require, minCoverage, allowIdle }
}

/** Returns true if the run passed. */
export async function reportRun(
  finished: FinishedRun,
  { coverage: json, junit, summary }: RunFlags,
  io: Io,
  print = io.err,
): Promise<boolean> {
  const failure = finished.run.failure ?? undefined
  const { isPassed: haveGatesPassed, ...report } = gatesReport(finished)
  const { findings } = report
  print(`\n${terminalText({ ...report, sections: [] })}`)
  if (findings.length > 0) print(`\n${findingLines(report)}\n\n${describeFailureCount(findings)}.`)
  if (haveGatesPassed) print('\nAll gates passed.')
  if (failure !== undefined) io.err(`\ncountersign: ${failure}`)
  const isWritten = await publishReport(report, { json, junit, summary }, io, print, failure)
  return failure === undefined && findings.length === 0 && isWritten
}
