import { resolve } from 'node:path'
import { type Api, contractsOf } from '../engine/api.js'
import { quote } from '../engine/contract/wording.js'
import { terminalText } from '../tools/report/report.js'
import { readDataFile } from '../tools/verify/data-file.js'
import { type VerifyDefinition, verifyDefinitionOf } from '../tools/verify/definition.js'
import { SwitchComparer } from '../tools/verify/interpretations/compare.js'
import { waitUntilUp } from '../tools/verify/sender.js'
import { verifyProvider } from '../tools/verify/verify.js'
import { reportOf } from '../tools/verify/verify-report.js'
import { type CliCommand, type CommandInput, WrongUse } from './command.js'
import { writeTextFile } from './files.js'
import { baseUrl, flag, listFlag, numberIn, percentage, subsetOf, toggle } from './flags.js'
import { GITHUB_ACTIONS_HELP, publishReport, reportFlags, setUpRun } from './publish-report.js'

const flagsFor = (api: Api, { help }: VerifyDefinition) => ({
  target: flag('<URL>', 'Base URL of the provider, such as https://host/base, without a query.', baseUrl),
  token: flag('<TOKEN>', "A user's token, without 'Bearer' (default: COUNTERSIGN_TOKEN).", plainToken),
  tokenWithoutPermission: flag('<TOKEN>', `Token of a user ${help.withoutPermission}, to check the 403.`, plainToken),
  allowWrites: toggle('Also make calls that change something at the provider.'),
  data: flag('<FILE>', 'YAML or JSON file with values that exist at the provider (docs/real-service.md).'),
  only: listFlag(
    '<OPERATIONS>',
    `Check only these operations, comma-separated: ${api.sampleOutcome.split(':')[0]},…`,
    subsetOf(contractsOf(api).map(({ id }) => id)),
  ),
  header: listFlag("<'NAME: VALUE'>", 'Header to send with each call. Repeatable.', headerParser(api)),
  timeout: flag(
    '<MS>',
    'Milliseconds to wait for an answer, 1 to 600000; less than 1000 counts as about 1000.',
    numberIn(1, 600_000),
    10_000,
  ),
  retries: flag('<N>', 'How often to retry an unavailable provider: 0 to 20.', numberIn(0, 20), 2),
  waitUntilUp: flag('<SECONDS>', 'Seconds to wait for the provider to come up: 0 to 3600.', numberIn(0, 3_600), 0),
  minChecked: flag(
    '<PERCENT>',
    'Percentage of the statements that must be checked, from 0 to 100; those that need other options are not counted.',
    percentage,
  ),
  json: flag('<FILE>', 'Write the results as JSON.'),
  ...reportFlags,
  writeInterpretations: flag('<FILE>', 'Write a config file (YAML) with the interpretations that fit the provider.'),
})

export const command = async (api: Api): Promise<CliCommand> => {
  const definition = await verifyDefinitionOf(api)
  return {
    invalidInputStatus: 2,
    usage: '--target URL --token TOKEN [options]',
    about: `Checks a provider (a real deployment of the API) against each statement of the API document ('npx countersign list statements'). The result for each is ok, drift (it departs from the API document), differs (it departs from one of our interpretations) or unchecked, with the reason.

Without --allow-writes, operations that write get only invalid requests, so nothing should change. With it, ${definition.help.writes}; the report lists what remains. Failed connections and statuses 429, 502, 503 and 504 are retried, and never count as drift.

${GITHUB_ACTIONS_HELP}`,
    flags: flagsFor(api, definition),
    options: ['config', 'strict'],
    optionHelp: {
      strict: 'Also fail if the provider departs from an interpretation that the config file can change.',
    },
    sections: {
      Environment: `
COUNTERSIGN_TOKEN  the token, if --token is not given; unlike a flag, it does not appear in process lists`,
      'Exit status': `
0  the provider behaves as documented
1  drift, or fewer statements checked than --min-checked; with --strict, also any difference from an interpretation
   that the config file can change
2  wrong use: an invalid command line or file, or a token that is not accepted
3  the provider is unavailable, so it cannot be judged`,
      Examples: `
npx countersign verify --target https://api.example.test --token "$TOKEN" --data data.yaml --junit verify.xml
npx countersign verify --target https://api.example.test --allow-writes --write-interpretations provider.yaml`,
    },
    async run({ options: { strict = false, ...options }, flags }: CommandInput<ReturnType<typeof flagsFor>>, io) {
      const { writeInterpretations } = flags
      const settings = await setUpRun(api, io, options, flags, { output: writeInterpretations, input: flags.data })
      const { target: url, token = io.environment.COUNTERSIGN_TOKEN, tokenWithoutPermission } = flags
      const { header: headers = [], timeout, retries, only, allowWrites = false, minChecked = 0 } = flags
      if (url === undefined)
        throw new WrongUse(
          '--target is missing. Usage: npx countersign verify --target https://host/base --token TOKEN',
        )
      if (!token) throw new WrongUse("Pass a user's token with --token, or in COUNTERSIGN_TOKEN.")
      if (tokenWithoutPermission === token)
        throw new WrongUse('--token-without-permission must be the token of another user than --token.')
      const target = { url, token: plainToken(token, '--token'), tokenWithoutPermission, headers, timeout, retries }
      const contracts = contractsOf(api)
      const data =
        flags.data === undefined ? {} : await readDataFile(resolve(io.folder, flags.data), contracts, definition)
      await waitUntilUp(target, flags.waitUntilUp)
      // Records are removed or restored before the end.
      const stopped = allowWrites ? io.waitForSignal('SIGINT', 'SIGTERM', 'SIGHUP') : undefined
      const verification = { api, definition, switches: settings.switches, only, target, data, allowWrites, stopped }
      const session = await verifyProvider(verification)
      const { status, ...report } = reportOf(session, target.url, strict, minChecked)
      io.out(terminalText(report))
      const isWritten = await publishReport(report, flags, io, io.out)
      if (writeInterpretations !== undefined && status === 3)
        io.err(`The provider is unavailable: ${writeInterpretations} was not written.`)
      else if (writeInterpretations !== undefined) {
        const text = await new SwitchComparer(session, definition).configFile(new Date())
        await writeTextFile(io, writeInterpretations, text)
      }
      return isWritten ? status : 2
    },
  }
}

/** Never quotes the text, which may be part of a token. */
function plainToken(token: string, source: string): string {
  if (/^[\u0021-\u007e]+$/.test(token)) return token
  throw new WrongUse(`${source} must be the token alone, without 'Bearer', white space or non-ASCII characters.`)
}

/** Headers that each call or the connection sets. */
const RESERVED_HEADERS = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'host']

/** Never quotes the value, which may be a secret. */
function headerParser({ conventions }: Api) {
  const reserved = [...RESERVED_HEADERS, ...conventions.tokenHeaders.map(({ name }) => name)]
  return (text: string): readonly (readonly [name: string, value: string])[] => {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/s.exec(text) ?? []
    if (name === '' || !/^[\t\u0020-\u007e]*$/.test(value))
      throw new WrongUse("--header must be 'Name: value', in ASCII.")
    if (reserved.includes(name.toLowerCase()))
      throw new WrongUse(
        `--header must not set ${quote(name)}: countersign sets this header. Pass the token with --token.`,
      )
    return [[name, value]]
  }
}
