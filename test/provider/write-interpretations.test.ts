import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { MockServerOptions } from '../../src/index.js'
import { run } from '../command-line.js'
import { countersign, verify } from '../forward/provider.js'

type Interpretations = NonNullable<MockServerOptions['interpretations']>

/** Together, these providers differ in every switch, with each value that verify can tell apart. */
const PROVIDERS: readonly Interpretations[] = [
  {
    successStatus: 201,
    errorBody: 'flat',
    missingUserType: 401,
    unknownOrganization: 400,
    pendingInvitation: 'conflict',
    signingLinkBody: { data: { url: '{link}', to: '{email}' }, expires_in: 3_600 },
  },
  {
    successStatus: { verifyDocument: 201 },
    errorBody: { type: 'error', status: '{status}', detail: '{message}' },
    missingUserType: 422,
    unknownOrganization: 404,
  },
  { errorBody: { uploadSignature: 'flat', verifyDocument: { errors: [{ message: '{message}' }] } } },
]

t.test('verify --strict passes with the file of --write-interpretations', async (t) => {
  for (const interpretations of PROVIDERS) {
    const name = JSON.stringify(interpretations)
    const mock = await countersign(t, { interpretations })
    const file = join(t.testdir({}), 'provider.yaml')
    const verifyStrictly = async (sandbox: string, ...argv: string[]) =>
      verify(t, (await mock.sandbox(sandbox)).url, '--strict', ...argv)
    const first = await verifyStrictly('one', '--allow-writes', '--write-interpretations', file)
    t.equal(first.code, 1, `${name}: it differs`, first)
    const written = readFileSync(file, 'utf8')
    for (const key of Object.keys(interpretations))
      t.match(written, new RegExp(`^ {2}${key}:`, 'm'), `${key} is written`)
    const second = await verifyStrictly('two', '--allow-writes', '--config', file)
    t.equal(second.code, 0, `${name}: it passes`, second)
    const reads = await verifyStrictly('three', '--config', file)
    t.equal(reads.code, 0, `${name}: also without writes`, reads)
    await mock.close()
  }
})

t.test('the written file has the date and the origin of each value, and no data of the provider', async (t) => {
  const mock = await countersign(t, { interpretations: { unknownOrganization: 404, errorBody: 'flat' } })
  const file = join(t.testdir({}), 'new/provider.yaml')
  const before = (await mock.requests()).length
  await verify(t, mock.url, '--write-interpretations', file)
  const sent = (await mock.requests()).length - before
  const written = readFileSync(file, 'utf8')
  const today = new Date().toISOString().slice(0, 10)
  await verify(t, 'http://127.0.0.1:9', '--write-interpretations', file)
  t.equal(readFileSync(file, 'utf8'), written, 'an outage does not change it')
  t.match(written, /^version: 1\ninterpretations:\n/, 'it is a config file')
  t.match(written, `  # ${today}, listCreditHistories: 404 {`, 'the date and the shape')
  t.match(written, /\n {2}unknownOrganization: 404\n/, 'the value')
  t.match(written, /\n {2}errorBody: flat\n/, 'one value for all operations')
  t.notMatch(written, /token-admin|example\.test|127\.0\.0\.1/, 'no data of users')
  await verify(t, mock.url)
  t.equal((await mock.requests()).length - before - sent, sent, 'a run without the option makes as many calls')
  t.match(await run(t, ['validate', '--config', file]), { code: 0 }, 'it is valid')
})

t.test('the written file lists only operations with an unusual value', async (t) => {
  const mock = await countersign(t, { interpretations: { missingUserType: 400 } })
  const file = join(t.testdir({}), 'provider.yaml')
  await verify(t, mock.url, '--allow-writes', '--write-interpretations', file)
  t.same(readFileSync(file, 'utf8').match(/(?<=# .{10}, )\w+/g), ['uploadSignature'])
})
