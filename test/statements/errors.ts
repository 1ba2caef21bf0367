import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { type Changes, fixtureFile, messageOf, send } from '../helper.js'
import { type Check, type ChecksOf, statusOf, typesOf } from './checks.js'

type Case = readonly [mistake: string, contract: Contract, changes: Changes]

function answering(status: number, cases: readonly Case[]): Check {
  return async (server, t) => {
    for (const [mistake, contract, changes] of cases)
      t.equal(await statusOf(server, contract, changes), status, `${contract.id} with ${mistake}`)
  }
}

const invalidInput: readonly Case[] = [
  ['an invalid role', api.updateSubOrganizationMember, { form: { role: 'Owner' } }],
  ['neither file nor code', api.verifyDocument, { form: { file: undefined, code: undefined } }],
  ['no first keyword', api.searchProtectedAttachments, { query: { 'keyword[sample_1]': undefined } }],
  ['no page', api.listCreditHistories, { query: { page: undefined } }],
  ['no e-mail', api.addOrganizationMember, { form: { 'data[0][email]': undefined } }],
]

const UNKNOWN = '00000000-0000-4000-8000-000000000000'

const notFound: readonly Case[] = [
  ['an unknown sub-organization', api.updateSubOrganizationMember, { params: { subOrganizationUuid: UNKNOWN } }],
  ['an unknown member', api.updateSubOrganizationMember, { params: { subOrgMemberId: '999' } }],
  ['an unknown code', api.verifyDocument, { form: { file: undefined, code: 'DOC-1999-0001' } }],
  ['keywords that match nothing', api.searchProtectedAttachments, { query: { 'keyword[sample_1]': 'no such thing' } }],
]

const unprocessable: readonly Case[] = [
  ['no signature', api.uploadSignature, { form: { file: undefined } }],
  ['no user_type', api.uploadSignature, { query: { user_type: undefined } }],
  ['a revoked document', api.verifyDocument, { form: { file: fixtureFile('revoked.pdf'), code: undefined } }],
]

export const errors: ChecksOf<'SE'> = {
  'SE.1': answering(400, invalidInput),

  'SE.2': async (server, t) => {
    for (const contract of contracts) {
      const status = await statusOf(server, contract, { headers: { authorization: 'Bearer token-member' } })
      const refused = contract.id === 'updateSubOrganizationMember'
      t.equal(status === 403, refused, `${contract.id} answers ${status} to a caller without permissions`)
    }
  },

  'SE.3': answering(404, notFound),

  'SE.4': async (server, t) => {
    const invite = (email: string) => statusOf(server, api.addOrganizationMember, { form: { 'data[0][email]': email } })
    t.equal(await invite('li.jun@example.test'), 409, 'a member is a conflict')
    t.equal(await invite('ada@example.test'), 200, 'a new user is not a conflict')
  },

  'SE.5': answering(422, unprocessable),

  'SE.6': async (server, t) => {
    const failing = [api.updateSubOrganizationMember, api.searchProtectedAttachments, api.addOrganizationMember]
    for (const contract of failing) {
      const forced = { headers: { prefer: 'code=500' } }
      t.equal(await statusOf(server, contract, forced), 500, `${contract.id} can be forced to fail`)
      t.equal(await statusOf(server, contract), 200, `${contract.id} does not fail otherwise`)
    }
  },

  'SE.7': async (server, t) => {
    const failures: readonly [number, Changes][] = [
      [400, { query: { page: undefined } }],
      [400, { query: { order: 'up' } }],
      [401, { headers: { authorization: undefined } }],
    ]
    for (const [status, changes] of failures) {
      const body = (await send(server, api.listCreditHistories, changes)).json()
      const label = `the body of the ${status} to ${JSON.stringify(changes)}`
      t.equal(body.error.code, status, `${label} has the status as its code`)
      t.strictSame(typesOf(body), { error: { code: 'integer', message: 'string' } }, `${label} is as shown`)
    }
  },

  'SE.8': async (server, t) => {
    for (const name of ['page', 'per_page', 'organization_uuid']) {
      const message = messageOf(await send(server, api.listCreditHistories, { query: { [name]: undefined } }))
      t.match(message, new RegExp(`\\b${name}\\b`), `the message contains ${name}`, { message })
    }
  },
}
