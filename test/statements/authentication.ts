import type { Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { answerOf, type Changes, lastExchange, type Server, send, stateAndMails } from '../helper.js'
import { type ChecksOf, statusOf } from './checks.js'

const bearer = (token: string): Changes => ({ headers: { authorization: `Bearer ${token}` } })

const badTokens = [
  ...[undefined, '', 'Bearer', 'Bearer ', 'token-admin', 'Bearertoken-admin'],
  ...['Basic dG9rZW4tYWRtaW46', 'Basic token-admin', 'Bearer unknown', 'Bearer token-adm', 'Bearer TOKEN-ADMIN'],
  ...['Bearer token-admin extra', 'Bearer Bearer token-admin'],
]

export const authentication: ChecksOf<'SA'> = {
  'SA.1': async (server, t) => {
    const before = await stateAndMails(server)
    for (const contract of contracts) {
      const without = await statusOf(server, contract, { headers: { authorization: undefined } })
      t.equal(without, 401, `${contract.id} is refused without a token`)
    }
    t.equal(await stateAndMails(server), before, 'nothing changes, and no mail is sent')
    for (const contract of contracts)
      t.equal(await statusOf(server, contract), 200, `${contract.id} succeeds with a valid token`)
  },

  'SA.2': async (server, t) => {
    const inQuery = { token: 'token-admin', access_token: 'token-admin', user_token: 'token-admin' }
    for (const contract of contracts) {
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
        const changes = { headers: { authorization: `${scheme} token-admin` } }
        t.equal(await statusOf(server, contract, changes), 200, `${contract.id} accepts a token after '${scheme}'`)
      }
      const changes = { headers: { authorization: undefined }, query: inQuery }
      t.equal(await statusOf(server, contract, changes), 401, `${contract.id} accepts no token in the query`)
    }
    const { body } = answerOf(await send(server, api.listCreditHistories, { headers: { authorization: '' } }))
    t.match(body.error.message, /^The header must have the form/, 'an empty header has no token')
  },

  'SA.3': async (server, t) => {
    for (const contract of contracts) {
      const cases: readonly (readonly [authorization: string | undefined, userToken: string, status: number])[] = [
        [undefined, 'token-admin', contract === api.searchProtectedAttachments ? 200 : 401],
        [undefined, 'unknown', 401],
        [undefined, '', 401],
        ['Bearer unknown', 'token-admin', 401],
        ['Bearer token-admin', 'unknown', 200],
      ]
      for (const [authorization, userToken, status] of cases) {
        const actual = await statusOf(server, contract, { headers: { authorization, 'user-token': userToken } })
        t.equal(actual, status, `${contract.id}: user-token '${userToken}', Authorization '${authorization}'`)
      }
    }
  },

  'SA.4': async (server, t) => {
    const refused = { status: 401, headers: { 'www-authenticate': 'Bearer' }, body: { error: { code: 401 } } }
    for (const contract of contracts)
      for (const authorization of badTokens) {
        const answer = answerOf(await send(server, contract, { headers: { authorization } }))
        t.match(answer, refused, `${contract.id} answers 401 to '${authorization}'`)
      }
    t.match((await lastExchange(server)).response, { headers: refused.headers }, 'the journal shows the challenge')
  },

  'SA.5': async (server, t) => {
    const before = await stateAndMails(server)
    const update = (token: string) =>
      statusOf(server, api.updateSubOrganizationMember, { ...bearer(token), form: { first_name: 'Changed' } })
    t.equal(await update('token-member'), 403, 'without the permission the update is 403')
    t.equal(await stateAndMails(server), before, 'without the permission nothing changes')
    t.equal(await update('token-admin'), 200, 'with the permission the member is updated')
  },

  'SA.6': async (server, t) => {
    for (const contract of [...numbered, api.searchProtectedAttachments]) await requiresUserType(server, t, contract)
  },
}

const withUserType = (user_type: string | undefined): Changes => ({ query: { user_type } })

const numbered: readonly Contract[] = [
  api.uploadSignature,
  api.updateSubOrganizationMember,
  api.verifyDocument,
  api.addOrganizationMember,
]

const wrongUserTypes = [undefined, '', 'ENTERPRISE', 'enterprise_api']

async function requiresUserType(server: Server, t: Test, contract: Contract): Promise<void> {
  t.equal(await statusOf(server, contract, withUserType('ENTERPRISE_API')), 200, `${contract.id} succeeds`)
  for (const userType of wrongUserTypes)
    t.match(await statusOf(server, contract, withUserType(userType)), /^4/, `${contract.id} refuses '${userType}'`)
}

export const userTypes: ChecksOf<'SU'> = {
  'SU.1': async (server, t) => {
    for (const contract of numbered) {
      await requiresUserType(server, t, contract)
      const inForm = { ...withUserType(undefined), form: { user_type: 'ENTERPRISE_API' } }
      t.match(await statusOf(server, contract, inForm), /^4/, `${contract.id} ignores user_type in the form`)
    }
  },

  'SU.2': (server, t) => requiresUserType(server, t, api.searchProtectedAttachments),

  'SU.3': async (server, t) => {
    const userTypesOfRecords = async (user_type?: string): Promise<string[]> => {
      const response = await send(server, api.listCreditHistories, { query: { user_type, per_page: 100 } })
      return response.json().histories.map((record: { user_type: string }) => record.user_type)
    }
    const all = await userTypesOfRecords()
    t.ok(new Set(all).size > 1, 'without user_type, records of several types are listed')
    for (const userType of new Set([...all, 'NOBODY']))
      t.strictSame(
        await userTypesOfRecords(userType),
        all.filter((other) => other === userType),
        `only records of ${userType}`,
      )
  },

  'SU.4': async (server, t) => {
    const { link } = (await send(server, api.createSigningLink)).json()
    for (const type of ['ENTERPRISE_API', ...wrongUserTypes])
      t.match((await send(server, api.createSigningLink, withUserType(type))).json(), { link }, `'${type}' is ignored`)
  },
}
