import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { isFile } from '../../src/engine/contract/fields.js'
import { build, type Changes, fileOf, fixtureFile, lastExchange, messageOf, type Server, send } from '../helper.js'

const { addOrganizationMember: add, createSigningLink: link, searchProtectedAttachments: search } = api
const { updateSubOrganizationMember: update, uploadSignature: upload, verifyDocument: verify } = api

const NOT_PERMITTED: Changes = { headers: { authorization: 'Bearer token-member' } }
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const parameters = (contracts as readonly Contract[]).flatMap((contract) =>
  (['query', 'form'] as const).flatMap((part) =>
    Object.entries<TSchema>(contract[part]?.properties ?? {}).map(([name, schema]) => {
      return { contract, part, name, schema, required: contract[part]?.required?.includes(name) ?? false }
    }),
  ),
)
type Parameter = (typeof parameters)[number]
type Value = NonNullable<Changes['form']>[string]

const PLACES = { query: 'query parameter', form: 'form field' }

async function sendWith(server: Server, { contract, part, name }: Parameter, value: Value) {
  const response = await send(server, contract, { [part]: { [name]: value } })
  const { violations } = await lastExchange(server)
  return { status: response.statusCode, message: messageOf(response), violations }
}

t.test('a missing required parameter is invalid, with its name; optional parameters may be missing', async (t) => {
  const server = await build(t)
  for (const parameter of parameters) {
    const { contract, part, name, required } = parameter
    const label = `${contract.id} without ${name}`
    const answer = await sendWith(server, parameter, undefined)
    const message = `The ${PLACES[part]} '${name}' `
    const missing = { code: 'missing-parameter', where: `${part}.${name}`, basis: 'documented', message: name }
    if (required) t.match(answer, { status: contract.invalidStatus, message, violations: [missing] }, label)
    else t.same(answer, { status: 200, message: undefined, violations: [] }, label)
  }
})

t.test('a parameter that is sent twice is invalid, even with the same value', async (t) => {
  const server = await build(t)
  for (const parameter of parameters) {
    const { contract, part, name, schema } = parameter
    const value = isFile(schema) ? fixtureFile('signature.png') : (schema.examples?.[0] as string)
    const message = `The ${PLACES[part]} '${name}' was sent 2 times`
    const violations = [{ code: 'repeated-parameter', where: `${part}.${name}` }]
    const expected = { status: contract.invalidStatus, message, violations }
    t.match(await sendWith(server, parameter, [value, value]), expected, `${contract.id} with ${name} twice`)
  }
})

t.test('checks run in this order: 401, 403, invalid parameters, 404, then the state of the record', async (t) => {
  const server = await build(t)
  const nobody = { authorization: 'Bearer unknown' }
  const { headers: member } = NOT_PERMITTED
  const badRole = { form: { role: 'Owner' }, params: { subOrgMemberId: '999' } }
  const query = { user_type: undefined }
  const noPdf = { file: fileOf('plain text') }
  const existing = { 'data[0][email]': 'li.jun@example.test' }
  const code = 'DOC-1999-0001'
  const cases: readonly (readonly [mistakes: string, status: number, Contract, Changes])[] = [
    ['unknown token, no permission, bad role, unknown member', 401, update, { headers: nobody, ...badRole }],
    ['no permission, no user_type, bad role, unknown member', 403, update, { headers: member, query, ...badRole }],
    ['bad role, unknown member', 400, update, badRole],
    ['unknown token, no file', 401, upload, { headers: nobody, form: { file: undefined } }],
    ['no user_type, a file that is no image', 422, upload, { query, form: noPdf }],
    ['a file that is no PDF, an unknown code', 400, verify, { form: { ...noPdf, code } }],
    ['an unknown code, a damaged file', 404, verify, { form: { file: fixtureFile('damaged.pdf'), code } }],
    ['no user_type, keywords that match nothing', 400, search, { query: { ...query, 'keyword[sample_1]': 'x9' } }],
    ['bad e-mail, unknown project', 400, link, { params: { uuid: UNKNOWN }, query: { email: 'nobody' } }],
    ['bad role, already a member', 400, add, { form: { ...existing, 'data[0][role]': 'Owner' } }],
    ['unknown organization, already a member', 400, add, { form: { ...existing, 'data[0][organization_id]': '77' } }],
  ]
  for (const [mistakes, status, contract, changes] of cases)
    t.equal((await send(server, contract, changes)).statusCode, status, `${mistakes}: ${status}`)
})
