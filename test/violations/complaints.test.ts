import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/server/config-file.js'
import { describeComplaint, type InvalidFiles } from '../../src/text/invalid-files.js'
import { readFixtures } from '../../src/world/state/fixtures.js'
import { folder } from '../binary.js'

const LONG = 'x'.repeat(70_000)

/** Config files that are wrong, and what is said of each. */
const wrong: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
  'a long key': [`${'x'.repeat(500)}: 1`, /^.*:1:1: The key 'x{80}…' is unknown\./],
  'a key with a line end': ['"a\\nb\\e[31m": 1', /The key 'a\\u000ab\\u001b\[31m' is unknown\./],
  'a long key further down': [`interpretations: { ${LONG}: 1 }`, /The key 'x{80}…' is unknown\./],
  'a long value': [`port: ${LONG}`, /'port' must be a whole number from 0 to 65535, not 'x{80}…'\./],
  'a control character above': ['# \u009b2J\u202e\nprot: 1', /The key 'prot' is unknown/],
  'a long mistake': [`>${LONG}\n`, /Block scalar header includes extra characters: >x+…\./],
}

t.test('what a complaint quotes of a file is short and on one line', async (t) => {
  const place = folder(t)
  for (const [what, [text, says]] of Object.entries(wrong)) {
    await writeFile(join(place, 'countersign.config.yaml'), text)
    const error: InvalidFiles = await readConfig(undefined, place).catch((reason) => reason)
    const [complaint = ''] = error.complaints.map(describeComplaint)
    t.match(complaint, says, `${what}: the complaint quotes it`)
    t.ok(complaint.length < 1_500, `${what}: the complaint is short`)
    t.notMatch(complaint, /[^\n\P{Cc}]/u, `${what}: nothing in it moves the cursor`)
  }
})

/** Fixtures that are wrong, and their complaint before anybody writes it out. */
const asData: Readonly<Record<string, readonly [text: string, complaint: object]>> = {
  'none.json': ['', { code: 'unreadable', subject: 'fixtures', reason: 'ENOENT' }],
  'cut.json': ['{', { code: 'syntax', line: 1, column: 2 }],
  'deep.yaml': [`users: ${'['.repeat(101)}${']'.repeat(101)}`, { code: 'syntax' }],
  'format.yaml': ['users: 1', { code: 'schema', path: 'users', line: 1, column: 8 }],
  'base.yaml': ['extends: ./nix.yaml', { code: 'reference', path: 'extends', line: 1, column: 10 }],
  'twice.yaml': ['organizations: [RECORD, RECORD]', { code: 'duplicate', path: /^organizations\[1\]/, line: 1 }],
}
const RECORD = '{ id: 900, uuid: 0d5b8f3e-7a61-4c29-9e84-2f1a6c7b3d95, name: Example }'

t.test('a complaint is data: its kind, the file in full, the place, and the reason of the system', async (t) => {
  for (const [name, [text, complaint]] of Object.entries(asData)) {
    const file = join(folder(t), name)
    if (text !== '') await writeFile(file, text.replaceAll('RECORD', RECORD))
    await t.rejects(readFixtures(file), { name: 'InvalidFiles', complaints: [{ file, ...complaint }] }, name)
  }
})
