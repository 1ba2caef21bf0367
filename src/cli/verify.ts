import { contracts as documented } from '../../schemas/contracts.js'
import { contractsUnder } from '../../schemas/contracts-under.js'
import { readDataFile } from '../provider/data-file.js'
import { interpretationsFile } from '../provider/interpretations/compare.js'
import { exitStatus, reportOf } from '../provider/report.js'
import { waitUntilUp } from '../provider/sender.js'
import { TokenRefused, verifyProvider } from '../provider/verify.js'
import { InvalidOption } from '../server/invalid-option.js'
import { junitText } from '../text/junit.js'
import { markdownText } from '../text/markdown.js'
import { annotationsOf, jsonText, terminalText } from '../text/report.js'
import { annotate } from './annotate.js'
import type { CliCommand, Given } from './command.js'
import { flag } from './flags.js'
import { namedFile } from './named-files.js'
import { readSettings } from './read-settings.js'
import { IN_GITHUB_ACTIONS } from './suite.js'
import { readTarget, type TargetFlags, targetFlags } from './target.js'
import { requireWritable } from './write-file.js'
import { tellUnwritten, unwrittenAsAnnotations, writeReports } from './write-reports.js'

const USAGE = 'Usage: countersign verify --target https://host/base --token TOKEN'

/** Values at the provider, as an example of a --data file. */
export const DATA_EXAMPLE = `
verifyDocument: { form: { code: DOC-1, file: ./known.pdf, user_uuid: 3f8b1c6a-2d4e-4b7a-9c15-7e0d6a5b4c31 } }
searchProtectedAttachments: { query: { 'keyword[sample_1]': lease } }
listCreditHistories: { query: { organization_uuid: 1c9e4b7d-3f52-4a86-b0d1-8e7f6a5b4c20 } }
addOrganizationMember: { form: { 'data[0][organization_id]': 1 }, member: someone@example.test }
updateSubOrganizationMember:
  params: { subOrganizationUuid: 6d9b7a52-41c3-4e0f-8a75-1c2e3d4f5a60, subOrgMemberId: 101 }
`

interface Flags extends TargetFlags {
  readonly json?: string
  readonly junit?: string
  readonly summary?: string
  readonly writeInterpretations?: string
}

/** Verifies a provider: exits with 0 if it is as documented, 1 if it departs from the document, 3 if unavailable. */
export const command: CliCommand = {
  misuse: 2,
  usage: '--target URL --token TOKEN [options]',
  about: `Checks a provider (a real deployment of the API) against each statement of the API document ('countersign list statements'). The result for each is ok, drift (it departs from the document), differs (it departs from one of our readings) or unchecked, with the reason.

Without --allow-writes, operations that would change something are only sent requests that they must refuse. With it, a member is updated and then restored, a new address at example.test is invited, a signature is uploaded and a signing link is created; the report lists what remains. Refused connections and statuses 429, 502, 503 and 504 are retried, and never count as drift.

${IN_GITHUB_ACTIONS}`,
  flags: [
    ...targetFlags,
    flag('--json <FILE>', 'Write the findings as JSON, with each statement once.'),
    flag('--junit <FILE>', 'Write the findings as JUnit XML.'),
    flag('--summary <FILE>', 'Write the findings as markdown.'),
    flag(
      '--write-interpretations <FILE>',
      'Write the interpretations that the provider shows as a config file, in YAML.',
    ),
  ],
  options: ['config', 'strict'],
  meanings: {
    strict: 'Also fail if the provider departs from a reading that has a switch.',
  },
  sections: {
    'The --data file': `
Calls use values from the default world. List the values that are different at the provider in this file, by
operation: params, query and form hold them under their names in the API. File paths are relative to the file.
addOrganizationMember may also name a member, for the 409; updateSubOrganizationMember may also name foreign
identifiers, which belong to someone else.
${DATA_EXAMPLE}`,
    Environment: `
COUNTERSIGN_TOKEN  the token, if --token is not given; unlike a flag, it does not appear in process lists`,
    'Exit status': `
0  the provider behaves as documented
1  drift; with --strict, also any difference from a reading that has a switch
2  wrong use: an invalid command line or file, or a token that is not accepted
3  the provider is unavailable, so it cannot be judged`,
    Examples: `
countersign verify --target https://api.example.test --token "$TOKEN"
countersign verify --target https://api.example.test --allow-writes --data data.yaml --junit verify.xml
countersign verify --target https://api.example.test --allow-writes --write-interpretations provider.yaml`,
  },
  async run({ options: { strict = false, ...files }, flags }: Given<Flags>, io) {
    const { readings } = await readSettings(files, io)
    const contracts = contractsUnder(documented, readings)
    const target = readTarget(flags, io, USAGE)
    const chosen = contracts.filter(({ id }) => flags.only?.includes(id) ?? true)
    const data = flags.data === undefined ? {} : await readDataFile(namedFile(io, flags.data), contracts)
    await requireWritable(
      io,
      [flags.json, flags.junit, flags.summary, flags.writeInterpretations].filter((file) => file !== undefined),
    )
    await waitUntilUp(target, flags.waitUntilUp)
    const { allowWrites = false } = flags
    const how = { data, allowWrites, stopped: allowWrites ? io.stopped : undefined }
    const verification = await verifyProvider(readings, chosen, target, how).catch((error) => {
      throw error instanceof TokenRefused ? new InvalidOption(error.message) : error
    })
    const report = reportOf(verification, target.url, strict)
    io.out(terminalText(report))
    const interpretations = await interpretationsFile(verification.switches, readings, new Date())
    const reports = {
      json: () => jsonText(report),
      junit: () => junitText(report),
      writeInterpretations: () => interpretations,
    }
    const unwritten = await writeReports(flags, reports, (most) => markdownText(report, most), io)
    tellUnwritten(unwritten, io)
    annotate([...annotationsOf(report), ...unwrittenAsAnnotations(unwritten)], io.out, io)
    return unwritten.asked.length === 0 ? exitStatus(verification, strict) : 2
  },
}
