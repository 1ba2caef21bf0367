import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { MockServerOptions } from '../../src/index.js'
import { run } from '../command-line.js'
import { countersign, verify } from '../forward/provider.js'

type Interpretations = NonNullable<MockServerOptions['interpretations']>

const EACH: readonly Interpretations[] = [
  { successStatus: 201 },
  { successStatus: { verifyDocument: 201 } },
  { errorBody: 'flat' },
  { errorBody: { type: 'error', status: '{status}', detail: '{message}' } },
  { errorBody: { uploadSignature: 'flat', verifyDocument: { errors: [{ message: '{message}' }] } } },
  { missingUserType: 401 },
  { missingUserType: 422 },
  { keywordMatch: 'any' },
  { emptyKeyword: 'ignore' },
  { attachmentStatus: 'any' },
  { unknownSort: 'ignore' },
  { unknownOrganization: 400 },
  { unknownOrganization: 404 },
  { pendingInvitation: 'conflict' },
  { unknownInvitationOrganization: 404 },
  { verifyScope: 'anyone' },
  { emptyName: 'absent' },
  { emptyFields: 'invalid' },
  { permissionReach: 'everywhere' },
  { signingLinkBody: { data: { url: '{link}', to: '{email}' }, expires_in: 3_600 } },
  {
    successWords: { uploadSignature: { status: 'stored' }, addOrganizationMember: { status: 'ok', message: 'Sent.' } },
  },
  { timestamps: 'seconds' },
]

const ALL = Object.assign({}, ...EACH) as Interpretations

t.test('after --write-interpretations, verify --strict with the file is clean', async (t) => {
  for (const interpretations of [...EACH, ALL]) {
    const name = JSON.stringify(interpretations)
    const mock = await countersign(t, { interpretations })
    const file = join(t.testdir({}), 'provider.yaml')
    const strictly = async (sandbox: string, ...argv: string[]) =>
      verify(t, (await mock.sandbox(sandbox)).url, '--strict', ...argv)
    const first = await strictly('one', '--allow-writes', '--write-interpretations', file)
    t.equal(first.code, 1, `${name}: it differs`, first)
    const [key = ''] = Object.keys(interpretations)
    t.match(readFileSync(file, 'utf8'), new RegExp(`^ {2}${key}:`, 'm'), `${name}: the switch is in the file`)
    const second = await strictly('two', '--allow-writes', '--config', file)
    t.equal(second.code, 0, `${name}: it is clean`, second)
    if (interpretations === ALL) {
      const reads = await strictly('three', '--config', file)
      t.equal(reads.code, 0, `${name}: without writes as well`, reads)
    }
    await mock.close()
  }
})

t.test('what the file says: the date and what showed it, and no data', async (t) => {
  const mock = await countersign(t, { interpretations: { unknownSort: 'ignore', errorBody: 'flat' } })
  const file = join(t.testdir({}), 'new/provider.yaml')
  const before = (await mock.requests()).length
  await verify(t, mock.url, '--write-interpretations', file)
  const sent = (await mock.requests()).length - before
  const written = readFileSync(file, 'utf8')
  const today = new Date().toISOString().slice(0, 10)
  t.match(written, /^version: 1\ninterpretations:\n/, 'it is a config file')
  t.match(written, `  # ${today}, listCreditHistories: 200 {histories: […], page: integer,`, 'the date and the shape')
  t.match(written, /\n {2}unknownSort: ignore\n/, 'the value')
  t.match(written, /\n {2}errorBody: flat\n/, 'one value, where all operations show it')
  t.notMatch(written, /token-admin|example\.test|127\.0\.0\.1/, 'no user is named')
  await verify(t, mock.url)
  t.equal((await mock.requests()).length - before - sent, sent, 'it makes no more calls')
  t.match(await run(t, ['validate', '--config', file]), { code: 0 }, 'it is valid')
})
