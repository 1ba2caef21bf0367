import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { bodySchema, sampleBody } from '../../schemas/bodies.js'
import { type Contract, outcomeId, statusesOf } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import { contractsUnder, contractUnder } from '../../schemas/contracts-under.js'
import type { Readings } from '../../schemas/readings.js'
import { openapiDocument } from '../../src/docs/openapi/document.js'
import { openapiVersions } from '../../src/docs/openapi/versions.js'
import { startMockServer } from '../../src/index.js'
import { checkOf } from '../../src/validation/check.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { build, messageOf, send } from '../helper.js'
import { others, reading, under } from './readings.js'

const all: readonly Contract[] = contracts

/** Readings that bring outcomes in, or take some away. */
const brought: readonly (readonly [some: Partial<Readings>, there: readonly string[], gone: readonly string[]])[] = [
  [{ successStatus: 201 }, ['listCreditHistories:201', 'createSigningLink:200'], ['listCreditHistories:200']],
  [{ successStatus: { verifyDocument: 201 } }, ['verifyDocument:201', 'uploadSignature:200'], ['verifyDocument:200']],
  [{ missingUserType: 400 }, ['uploadSignature:400'], ['addOrganizationMember:422']],
  [{ missingUserType: 422 }, ['addOrganizationMember:422', 'searchProtectedAttachments:422'], ['uploadSignature:400']],
  [{ unknownOrganization: 404 }, ['listCreditHistories:404'], ['addOrganizationMember:404']],
  [{ unknownInvitationOrganization: 404 }, ['addOrganizationMember:404'], ['listCreditHistories:404']],
]

for (const [some, there, gone] of brought) {
  t.test(`${JSON.stringify(some)} declares ${there.join(', ')} everywhere`, async (t) => {
    const server = await under(t, some)
    const { app, worlds } = server
    const place = folder(t, { 'readings.json': JSON.stringify({ interpretations: some }) })
    const listed = (await run(t, ['list', 'outcomes', '--config', 'readings.json'], { cwd: place })).out
    const document = (await app.inject('/__admin/openapi.json')).json()
    const printed = JSON.parse((await run(t, ['openapi', '--config', 'readings.json'], { cwd: place })).out)
    const covered = () => worlds.root.journal.outcomes
    const outcomes = async () =>
      ((await app.inject('/__admin/coverage')).json().outcomes as { outcome: string }[]).map(({ outcome }) => outcome)
    for (const id of [...there, ...gone]) {
      const is = there.includes(id)
      const [operation = '', status = ''] = id.split(':')
      const contract = all.find((one) => one.id === operation) as Contract
      const declared = (of: { paths: Record<string, Record<string, { responses: object }>> }) =>
        status in (of.paths[contract.path]?.[contract.method.toLowerCase()]?.responses ?? {})
      t.equal(declared(document), is, `${id} in the OpenAPI document`)
      t.equal(declared(printed), is, `${id} in the one that is printed`)
      t.equal(new RegExp(`^ +${id} `, 'm').test(listed), is, `${id} in the list`)
      t.equal((await outcomes()).includes(id), is, `${id} in the coverage`)
      t.equal(worlds.root.library.find(id) !== undefined, is, `${id} as a scenario`)
      const response = await send(server, contract, { headers: { prefer: `code=${status}` } })
      const isForced = response.statusCode === Number(status) && response.headers['x-mock-outcome'] === id
      t.equal(isForced, is, `${id}: by Prefer`)
      t.equal(covered()[id] !== undefined, is, `${id} is counted`)
      const under = contractUnder(contract, worlds.shared.settings.readings)
      if (is) t.strictSame(response.json(), onServer(sampleBody(under, Number(status))), `${id} with its sample`)
    }
    const [readable] = Object.keys(some)
    t.match(document.info.description, `\`${readable}: `, 'the OpenAPI document says how it reads')
    const requiring = (id = '') =>
      run(t, ['exec', '--config', 'readings.json', '--require', id, '--', 'true'], { cwd: place })
    t.match((await requiring(there[0])).err, `The outcome ${there[0]} was never met.`, 'a gate may require it')
    t.match((await requiring(gone[0])).err, `--require does not take '${gone[0]}'.`, 'and not what is gone')
  })
}

function onServer(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll('http://127.0.0.1:4010', 'http://localhost:80'))
}

t.test('with every switch at another value, each sample fits its contract', async (t) => {
  for (const contract of contractsUnder(all, others)) {
    for (const status of statusesOf(contract)) {
      const departures = checkOf(bodySchema(contract, status) as TSchema)(sampleBody(contract, status))
      t.strictSame(departures, [], outcomeId(contract, status))
    }
  }
  for (const version of openapiVersions) {
    const document = openapiDocument(contractsUnder(all, others), { version, packageVersion: '1', readings: others })
    const ajv = new Ajv2020({ strict: false, formats: { binary: true }, logger: false })
    addFormats.default(ajv, ['uuid', 'email', 'date-time', 'uri'])
    t.doesNotThrow(() => ajv.addSchema(JSON.parse(JSON.stringify(document)), version), `OpenAPI ${version} is made`)
  }
})

t.test('with every switch at another value, what each operation answers has no deviation', async (t) => {
  const server = await under(t, others)
  for (const contract of all) {
    for (const changes of [{}, { query: { user_type: undefined } }, { headers: { authorization: undefined } }]) {
      const response = await send(server, contract, changes)
      const { deviations, outcome } = server.worlds.root.journal.exchanges()[0] ?? {}
      t.strictSame(deviations, [], `${outcome} fits its contract`, { message: messageOf(response) })
    }
  }
})

t.test('verify honours the readings of the config file', async (t) => {
  const mock = await startMockServer({ port: 0, interpretations: others })
  t.teardown(() => mock.close())
  const place = folder(t, { 'mine.json': JSON.stringify({ interpretations: others }), 'none/x': '' })
  const args = ['verify', '--target', mock.url, '--token', 'token-admin', '--allow-writes', '--strict']
  const honoured = await run(t, [...args, '--config', 'mine.json'], { cwd: place })
  t.equal(honoured.code, 0, 'there is no difference', { out: honoured.out })
  const byDefault = await run(t, args, { cwd: join(place, 'none') })
  t.equal(byDefault.code, 1, 'by default there are some')
  for (const id of ['I-01', 'I-02', 'I-04', 'I-11']) t.match(byDefault.out, id, `${id} is named`)
  writeFileSync(join(place, 'countersign.config.yaml'), JSON.stringify({ interpretations: others }))
  // The invitation that was sent is pending: another one would be a conflict.
  const reads = args.filter((one) => one !== '--allow-writes')
  t.equal((await run(t, reads, { cwd: place })).code, 0, 'so does the config file that is there')
})

t.test('a scenario means a success by leaving the status out, under any readings', async (t) => {
  const rule = (answer: string) => `version: 1\nrules:\n  - on: addOrganizationMember\n    answer: ${answer}\n`
  const body = 'body: { status: taken, message: By a file. }'
  const place = folder(t, {
    'good/a.yaml': rule(`{ ${body} }`),
    'bad/a.yaml': rule(`{ status: 200, ${body} }`),
    'r.yaml': 'interpretations: { successStatus: 201 }\n',
  })
  const check = (scenarios: string) =>
    run(t, ['validate', '--config', 'r.yaml', '--scenarios', scenarios], { cwd: place })
  t.match(await check('good'), { code: 0 }, 'the shipped ones and this one are right')
  t.match(await check('bad'), { code: 1, err: /declares 201, 400, 401, 409, 500/ }, 'another status is not')
  const server = await build(t, { readings: reading(others), scenarios: join(place, 'good'), active: ['a'] })
  const response = await send(server, all.find(({ id }) => id === 'addOrganizationMember') as Contract)
  t.equal(response.statusCode, 201, 'it answers with the success')
  t.match(response.json(), { message: 'By a file.' }, 'and its own body')
})
