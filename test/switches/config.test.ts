import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { InvalidOption, type MockServerOptions, startMockServer } from '../../src/index.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { adminOf, messageOf, send, sendTo } from '../helper.js'
import { contractsUnder, others, type Switches, under } from './under.js'

const CONFIG = 'countersign.config.yaml'

/** Wrong interpretations as they stand in a file, each with the place and the words of its complaint. */
const wrong: Readonly<Record<string, readonly [place: string, message: string]>> = {
  'successStatus: { uploadSignatur: 201 }': ['2:20', "'uploadSignatur' is unknown. Did you mean 'uploadSignature'?"],
  'successStatus: { uploadSignature: 202 }': ['2:37', "successStatus.uploadSignature' must be one of 200, 201, not"],
  'successStatus: { createSigningLink: 201 }': ['2:20', "'createSigningLink' cannot be set: the API document names"],
  'errorBody: [a]': ['2:14', "'interpretations.errorBody' must be nested, flat, an object"],
  'errorBody: { addOrganisationMember: flat }': ['2:16', "Did you mean 'addOrganizationMember'?"],
  'errorBody: { uploadSignature: flat, verify: flat }': ['2:39', "There is no operation 'verify'."],
  'errorBody: { listCreditHistories: flat }': ['2:16', "'listCreditHistories' cannot be set: the API document shows"],
  'errorBody: { uploadSignature: flatt }': ['2:33', "Did you mean 'flat'?"],
  'errorBody: { uploadSignature: { a: b } }': ['2:33', 'must contain {status} or {message}'],
  "errorBody: { a: { b: 'x {mesage}' } }": ['2:24', "{mesage}. Did you mean 'message'? Allowed: {status}, {message}."],
  "missingUserType: '400'": ['2:20', "must be one of 400, 401, 422, not '400'."],
  'unknownOrganization: emtpy': ['2:24', "Did you mean 'empty'?"],
  "signingLinkBody: '{link}'": ['2:20', 'must be an object with texts in which countersign replaces {link}'],
  "signingLinkBody: { a: ['{lnk}'] }": ['2:26', "has the unknown placeholder {lnk}. Did you mean 'link'?"],
  'pendingInvitations: resend': ['2:3', "The key 'pendingInvitations' is unknown. Did you mean 'pendingInvitation'?"],
}

/** A gate is judged where something was called. */
const CALL = "fetch(process.env.COUNTERSIGN_URL + '/api')"

t.test('a wrong interpretation is refused with its place', async (t) => {
  const cwd = folder(t)
  const words = Object.keys(others).map((name) => [`${name}: ''`, [`2:${name.length + 5}`, 'must be']] as const)
  for (const [line, [place, message]] of [...Object.entries(wrong), ...words]) {
    await writeFile(join(cwd, CONFIG), `interpretations:\n  ${line}\n`)
    const { code, err } = await run(t, ['list', 'interpretations'], { cwd })
    t.equal(code, 1, line)
    t.ok(err.includes(`${CONFIG}:${place}: `) && err.includes(message), `${line}: the place and the reason`, { err })
  }
})

t.test('in process, interpretations are given as an object', async (t) => {
  await using switched = await startMockServer({ port: 0, interpretations: { successStatus: 201 } })
  t.match(await sendTo(switched.url, api.uploadSignature), { status: 201 }, 'the interpretation holds')
  const template = { m: '{message}' }
  const given = { errorBody: template, pendingInvitation: undefined }
  await using mock = await startMockServer({ port: 0, interpretations: given })
  t.match(await sendTo(mock.url, api.createSigningLink), { status: 200 }, 'an undefined one has its default')
  const { body: refusal } = await sendTo(mock.url, api.uploadSignature, { headers: { authorization: undefined } })
  t.match(refusal, { m: /token/ }, 'a defined one its value')
  t.notOk(Object.isFrozen(template), 'the given object is not frozen')
  const wrongly: readonly (readonly [MockServerOptions['interpretations'], string])[] = [
    [{ errorBody: { a: '{b}' } }, 'has the unknown placeholder {b}'],
    [{ unknownOrganization: '404' as never }, "one of empty, 400, 404, not '404'. Write it without quotes."],
  ]
  for (const [interpretations, message] of wrongly) {
    const error = await startMockServer({ port: 0, interpretations }).catch((reason) => reason)
    t.ok(error instanceof InvalidOption, `${message}: it is refused`)
    t.match(error.message, message, `${message}: with the reason`)
  }
})

const all: readonly Contract[] = contracts

const brought: readonly (readonly [some: Switches, there: readonly string[], gone: readonly string[]])[] = [
  [{ successStatus: 201 }, ['listCreditHistories:201', 'createSigningLink:200'], ['listCreditHistories:200']],
  [{ successStatus: { verifyDocument: 201 } }, ['verifyDocument:201', 'uploadSignature:200'], ['verifyDocument:200']],
  [{ missingUserType: 400 }, ['uploadSignature:400'], ['addOrganizationMember:422']],
  [{ missingUserType: 422 }, ['addOrganizationMember:422', 'searchProtectedAttachments:422'], ['uploadSignature:400']],
  [{ unknownOrganization: 404 }, ['listCreditHistories:404'], ['addOrganizationMember:404']],
]

for (const [some, there, gone] of brought) {
  t.test(`${JSON.stringify(some)} declares ${there.join(', ')} everywhere`, async (t) => {
    const server = await under(t, some)
    const { app } = server
    const place = folder(t, { 'switches.json': JSON.stringify({ interpretations: some }) })
    const listed = (await run(t, ['list', 'outcomes', '--config', 'switches.json'], { cwd: place })).out
    const document = (await app.inject('/__admin/openapi.json')).json()
    const counted = async (id: string) => (await adminOf(server).coverage()).outcomes.find((one) => one.outcome === id)
    for (const id of [...there, ...gone]) {
      const is = there.includes(id)
      const [operation = '', status = ''] = id.split(':')
      const contract = all.find((one) => one.id === operation) as Contract
      const { responses } = document.paths[contract.path][contract.method.toLowerCase()]
      t.equal(status in responses, is, `${id} in the OpenAPI document`)
      t.equal(new RegExp(`^ +${id} `, 'm').test(listed), is, `${id} in the list`)
      t.equal((await app.inject(`/__admin/scenarios/${id}`)).statusCode, is ? 200 : 404, `${id} as a scenario`)
      const response = await send(server, contract, { headers: { prefer: `code=${status}` } })
      const isForced = response.statusCode === Number(status) && response.headers['x-mock-outcome'] === id
      t.equal(isForced, is, `${id}: by Prefer`)
      t.equal((await counted(id))?.count, is ? 1 : undefined, `${id} is counted`)
      const sample = sampleBody(contractsUnder(some).find((one) => one.id === operation) as Contract, Number(status))
      if (is) t.strictSame(response.json(), onServer(sample), `${id} with its sample`)
    }
    const [readable] = Object.keys(some)
    t.match(document.info.description, `\`${readable}: `, 'the OpenAPI document says how it reads')
    const requiring = (id = '') =>
      run(t, ['exec', '--config', 'switches.json', '--require', id, '--', 'node', '-e', CALL], { cwd: place })
    t.match((await requiring(there[0])).err, `The outcome ${there[0]} was never met.`, 'a gate may require it')
    t.match((await requiring(gone[0])).err, `--require does not take '${gone[0]}'.`, 'and not what is gone')
  })
}

function onServer(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll('http://127.0.0.1:4010', 'http://localhost:80'))
}

t.test('with every switch at another value, no answer has a deviation', async (t) => {
  const server = await under(t, others)
  for (const contract of all) {
    for (const changes of [{}, { query: { user_type: undefined } }, { headers: { authorization: undefined } }]) {
      const response = await send(server, contract, changes)
      const { deviations, outcome } = (await adminOf(server).requests())[0] ?? {}
      t.strictSame(deviations, [], `${outcome} fits its contract`, { message: messageOf(response) })
    }
  }
})
