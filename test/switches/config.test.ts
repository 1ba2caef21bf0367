import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { sampleBody } from '../../src/engine/contract/envelopes.js'
import { checkAnswer } from '../../src/engine/judge/deviations.js'
import { InvalidOption, type MockServerOptions, startMockServer } from '../../src/index.js'
import { folder } from '../binary.js'
import { run } from '../command-line.js'
import { adminOf, send, sendTo } from '../helper.js'
import { buildWith, contractsWith, otherValues, type Switches } from './build-with.js'

const CONFIG = 'countersign.config.yaml'

/** Invalid interpretations in a config file, each with the position and text of its complaint. */
const invalid: Readonly<Record<string, readonly [place: string, message: string]>> = {
  'successStatus: { uploadSignatur: 201 }': ['2:20', "'uploadSignatur' is unknown. Did you mean 'uploadSignature'?"],
  'successStatus: { uploadSignature: 202 }': ['2:37', "successStatus.uploadSignature' must be one of 200, 201, not"],
  'successStatus: { createSigningLink: 201 }': ['2:20', "'createSigningLink' cannot be set: the API document names"],
  'errorBody: [a]': ['2:14', "'interpretations.errorBody' must be nested, flat, an object"],
  'errorBody: { addOrganisationMember: flat }': ['2:16', "Did you mean 'addOrganizationMember'?"],
  'errorBody: { uploadSignature: flat, verify: flat }': ['2:39', "There is no operation 'verify'."],
  'errorBody: { listCreditHistories: flat }': ['2:16', "The error body of 'listCreditHistories' is fixed"],
  'errorBody: { uploadSignature: flatt }': ['2:33', "Did you mean 'flat'?"],
  'errorBody: { uploadSignature: { a: b } }': ['2:33', "must contain the text '{status}' or '{message}'"],
  "errorBody: { a: { b: 'x {mesage}' } }": ['2:24', "{mesage}. Did you mean 'message'? Allowed: '{status}'"],
  "missingUserType: '400'": ['2:20', "must be one of 400, 401, 422, not '400'."],
  'unknownOrganization: emtpy': ['2:24', "Did you mean 'empty'?"],
  "signingLinkBody: '{link}'": ['2:20', 'must be an object with texts in which countersign replaces {link}'],
  "signingLinkBody: { a: ['{lnk}'] }": ['2:26', "has the unknown placeholder {lnk}. Did you mean 'link'?"],
  'pendingInvitations: resend': ['2:3', "The key 'pendingInvitations' is unknown. Did you mean 'pendingInvitation'?"],
}

/** Gates are judged only if something was called. */
const CALL = "fetch(process.env.COUNTERSIGN_URL + '/api')"

t.test('an invalid interpretation is reported with line and column', async (t) => {
  const cwd = folder(t)
  const empty = Object.keys(otherValues).map((name) => [`${name}: ''`, [`2:${name.length + 5}`, 'must be']] as const)
  for (const [line, [place, message]] of [...Object.entries(invalid), ...empty]) {
    await writeFile(join(cwd, CONFIG), `interpretations:\n  ${line}\n`)
    const { code, err } = await run(t, ['list', 'interpretations'], { cwd })
    t.equal(code, 1, line)
    t.ok(err.includes(`${CONFIG}:${place}: `) && err.includes(message), `${line}: position and reason`, { err })
  }
})

t.test('in process, interpretations are given as an object', async (t) => {
  await using switched = await startMockServer({ port: 0, interpretations: { successStatus: 201 } })
  t.match(await sendTo(switched.url, api.uploadSignature), { status: 201 }, 'the interpretation applies')
  const template = { m: '{message}' }
  const interpretations = { errorBody: template, pendingInvitation: undefined }
  await using mock = await startMockServer({ port: 0, interpretations })
  t.match(await sendTo(mock.url, api.createSigningLink), { status: 200 }, 'an undefined interpretation has its default')
  const { body: error } = await sendTo(mock.url, api.uploadSignature, { headers: { authorization: undefined } })
  t.match(error, { m: /token/ }, 'a defined interpretation has its value')
  t.notOk(Object.isFrozen(template), 'the given object is not frozen')
  const invalidOptions: readonly (readonly [MockServerOptions['interpretations'], string])[] = [
    [{ errorBody: { a: '{b}' } }, 'has the unknown placeholder {b}'],
    [{ unknownOrganization: '404' as never }, "one of empty, 400, 404, not '404'. Write it without quotes."],
  ]
  for (const [interpretations, message] of invalidOptions) {
    const error = await startMockServer({ port: 0, interpretations }).catch((reason) => reason)
    t.ok(error instanceof InvalidOption, `${message}: it is rejected`)
    t.match(error.message, message, `${message}: the reason`)
  }
})

const all: readonly Contract[] = contracts

const declared: readonly (readonly [values: Switches, added: readonly string[], removed: readonly string[]])[] = [
  [{ successStatus: 201 }, ['listCreditHistories:201', 'createSigningLink:200'], ['listCreditHistories:200']],
  [{ missingUserType: 422 }, ['addOrganizationMember:422', 'searchProtectedAttachments:422'], ['uploadSignature:400']],
  [{ unknownOrganization: 404 }, ['listCreditHistories:404'], ['addOrganizationMember:404']],
]

for (const [values, added, removed] of declared) {
  t.test(`${JSON.stringify(values)} declares ${added.join(', ')} everywhere`, async (t) => {
    const server = await buildWith(t, values)
    const { app } = server
    const cwd = folder(t, { 'switches.json': JSON.stringify({ interpretations: values }) })
    const listed = (await run(t, ['list', 'outcomes', '--config', 'switches.json'], { cwd })).out
    const document = (await app.inject('/__admin/openapi.json')).json()
    const counted = async (id: string) => (await adminOf(server).coverage()).outcomes.find((one) => one.outcome === id)
    for (const id of [...added, ...removed]) {
      const isAdded = added.includes(id)
      const [operation = '', status = ''] = id.split(':')
      const contract = all.find((one) => one.id === operation) as Contract
      const { responses } = document.paths[contract.path][contract.method.toLowerCase()]
      t.equal(status in responses, isAdded, `${id} in the OpenAPI document`)
      t.equal(new RegExp(`^ +${id} `, 'm').test(listed), isAdded, `${id} in the list`)
      t.equal((await app.inject(`/__admin/scenarios/${id}`)).statusCode, isAdded ? 200 : 404, `${id} as a scenario`)
      const response = await send(server, contract, { headers: { prefer: `code=${status}` } })
      const isForced = response.statusCode === Number(status) && response.headers['x-mock-outcome'] === id
      t.equal(isForced, isAdded, `${id}: by Prefer`)
      t.equal((await counted(id))?.count, isAdded ? 1 : undefined, `${id} is counted`)
      const sample = sampleBody(contractsWith(values).find((one) => one.id === operation) as Contract, Number(status))
      if (isAdded) t.strictSame(response.json(), onServer(sample), `${id} with its sample`)
    }
    const [name] = Object.keys(values)
    t.match(document.info.description, `\`${name}: `, 'the OpenAPI document shows the interpretation')
    const requiring = (id = '') =>
      run(t, ['exec', '--config', 'switches.json', '--require', id, '--', 'node', '-e', CALL], { cwd })
    t.match((await requiring(added[0])).err, `The outcome ${added[0]} was never met.`, 'a gate can require it')
    t.match((await requiring(removed[0])).err, `--require does not take '${removed[0]}'.`, 'not a removed outcome')
  })
}

function onServer(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll('http://127.0.0.1:4010', 'http://localhost:80'))
}

t.test('with no switch at its default, answers fit their contracts', async (t) => {
  const server = await buildWith(t, otherValues)
  for (const contract of contractsWith(otherValues)) {
    for (const changes of [{}, { query: { user_type: undefined } }, { headers: { authorization: undefined } }]) {
      const { statusCode: status, headers, payload: text } = await send(server, contract, changes)
      const answer = { status, contentType: String(headers['content-type']), text }
      t.strictSame(checkAnswer(contract, answer), [], `${contract.id}:${status} fits`)
    }
  }
})
