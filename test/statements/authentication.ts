import type { Test } from 'tap'
import { contracts } from '../../schemas/contracts.js'
import * as api from '../../schemas/index.js'
import type { Contract } from '../../src/engine/contract/contract.js'
import { answerOf, type Changes, type Server, send, traces } from '../helper.js'
import { type ChecksOf, statusOf } from './checks.js'

const bearer = (token: string): Changes => ({ headers: { authorization: `Bearer ${token}` } })

const badTokens = [
  ...[undefined, '', 'Bearer', 'Bearer ', 'token-admin', 'Bearertoken-admin'],
  ...['Basic dG9rZW4tYWRtaW46', 'Basic token-admin', 'Bearer unknown', 'Bearer token-adm', 'Bearer TOKEN-ADMIN'],
  ...['Bearer token-admin extra', 'Bearer Bearer token-admin'],
]

export const authentication: ChecksOf<'SA'> = {
  'SA.1': async (server, t) => {
    const before = await traces(server)
    for (const contract of contracts) {
      const without = await statusOf(server, contract, { headers: { authorization: undefined } })
      t.equal(without, 401, `${contract.id} is refused without a token`)
    }
    t.equal(await traces(server), before, 'nothing has changed, and no mail was sent')
    for (const contract of contracts)
      t.equal(await statusOf(server, contract), 200, `${contract.id} succeeds with a valid token`)
  },

  'SA.2': async (server, t) => {
    const inQuery = { token: 'token-admin', access_token: 'token-admin', user_token: 'token-admin' }
    for (const contract of contracts) {
      for (const scheme of ['Bearer', 'bearer', 'BEARER', 'Bearer ']) {
        const changes = { headers: { authorization: `${scheme} token-admin` } }
        t.equal(await statusOf(server, contract, changes), 200, `${contract.id} takes a token after '${scheme}'`)
      }
      const changes = { headers: { authorization: undefined }, query: inQuery }
      t.equal(await statusOf(server, contract, changes), 401, `${contract.id} takes no token in the query`)
    }
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
        const given = await statusOf(server, contract, { headers: { authorization, 'user-token': userToken } })
        t.equal(given, status, `${contract.id}: user-token '${userToken}' beside '${authorization}'`)
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
  },

  'SA.5': async (server, t) => {
    const before = await traces(server)
    const update = (token: string) =>
      statusOf(server, api.updateSubOrganizationMember, { ...bearer(token), form: { first_name: 'Changed' } })
    t.equal(await update('token-member'), 403, 'without the permission it is 403')
    t.equal(await traces(server), before, 'without the permission nothing is changed')
    t.equal(await update('token-admin'), 200, 'with the permission the member is updated')
  },

  'SA.6': async (server, t) => {
    for (const contract of [...numbered, api.searchProtectedAttachments]) await servesOneKind(server, t, contract)
  },
}

const ofKind = (user_type: string | undefined): Changes => ({ query: { user_type } })

const numbered: readonly Contract[] = [
  api.uploadSignature,
  api.updateSubOrganizationMember,
  api.verifyDocument,
  api.addOrganizationMember,
]

const wrongKinds = [undefined, '', 'ENTERPRISE', 'enterprise_api']

async function servesOneKind(server: Server, t: Test, contract: Contract): Promise<void> {
  t.equal(await statusOf(server, contract, ofKind('ENTERPRISE_API')), 200, `${contract.id} takes it`)
  for (const kind of wrongKinds)
    t.match(await statusOf(server, contract, ofKind(kind)), /^4/, `${contract.id} refuses '${kind}'`)
}

export const userTypes: ChecksOf<'SU'> = {
  'SU.1': async (server, t) => {
    for (const contract of numbered) {
      await servesOneKind(server, t, contract)
      const inForm = { ...ofKind(undefined), form: { user_type: 'ENTERPRISE_API' } }
      t.match(await statusOf(server, contract, inForm), /^4/, `${contract.id} does not read it in the form`)
    }
  },

  'SU.2': (server, t) => servesOneKind(server, t, api.searchProtectedAttachments),

  'SU.3': async (server, t) => {
    const kinds = async (user_type?: string): Promise<string[]> => {
      const response = await send(server, api.listCreditHistories, { query: { user_type, per_page: 100 } })
      return response.json().histories.map((one: { user_type: string }) => one.user_type)
    }
    const all = await kinds()
    t.ok(new Set(all).size > 1, 'without it records of several kinds are listed')
    for (const kind of new Set([...all, 'NOBODY']))
      t.strictSame(
        await kinds(kind),
        all.filter((one) => one === kind),
        `exactly those of ${kind}`,
      )
  },

  'SU.4': async (server, t) => {
    const { link } = (await send(server, api.createSigningLink)).json()
    for (const kind of ['ENTERPRISE_API', ...wrongKinds])
      t.match((await send(server, api.createSigningLink, ofKind(kind))).json(), { link }, `by '${kind}', too`)
  },
}
