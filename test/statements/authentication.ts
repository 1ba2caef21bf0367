import type { Test } from 'tap'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import {
  addOrganizationMember,
  createSigningLink,
  listCreditHistories,
  searchProtectedAttachments,
  updateSubOrganizationMember,
  uploadSignature,
  verifyDocument,
} from '../../schemas/index.js'
import type { Server } from '../../src/server/create-server.js'
import { type Changes, send } from '../helper.js'
import { type ChecksOf, mailsOf, stateOf, statusOf } from './checks.js'

const bearer = (token: string): Changes => ({ headers: { authorization: `Bearer ${token}` } })

/** Missing and invalid ones. */
const badTokens: Readonly<Record<string, Changes>> = {
  'no token': { headers: { authorization: undefined } },
  'an unknown token': bearer('nobody'),
  'an empty token': bearer(''),
  'half a token': bearer('token-adm'),
}

async function refusesBadTokens(server: Server, t: Test): Promise<void> {
  for (const contract of contracts)
    for (const [label, changes] of Object.entries(badTokens))
      t.equal(await statusOf(server, contract, changes), 401, `${contract.id} answers 401 to ${label}`)
}

/** The document's "Authentication". */
export const authentication: ChecksOf<'SA'> = {
  'SA.1': async (server, t) => {
    const before = await stateOf(server)
    await refusesBadTokens(server, t)
    t.strictSame(await stateOf(server), before, 'nothing has changed')
    t.strictSame(await mailsOf(server), [], 'no mail was sent')
    for (const contract of contracts)
      t.equal(await statusOf(server, contract), 200, `${contract.id} succeeds with a valid token`)
  },

  'SA.2': async (server, t) => {
    for (const contract of contracts) {
      const statusWith = (authorization: string) => statusOf(server, contract, { headers: { authorization } })
      t.equal(await statusWith('Bearer token-admin'), 200, `${contract.id} takes a bearer token`)
      t.equal(await statusWith('token-admin'), 401, `${contract.id} takes no token without 'Bearer'`)
      t.equal(await statusWith('Basic token-admin'), 401, `${contract.id} takes no token of another scheme`)
    }
  },

  'SA.3': async (server, t) => {
    const by = (userToken: string) =>
      send(server, searchProtectedAttachments, { headers: { authorization: undefined, 'user-token': userToken } })
    const usual = (await send(server, searchProtectedAttachments)).json()
    t.strictSame((await by('token-admin')).json(), usual, 'the project search takes the header user-token')
    t.equal((await by('nobody')).statusCode, 401, 'an unknown user-token is refused')
  },

  'SA.4': refusesBadTokens,

  'SA.5': async (server, t) => {
    const before = await stateOf(server)
    const update = (token: string) =>
      statusOf(server, updateSubOrganizationMember, { ...bearer(token), form: { first_name: 'Changed' } })
    t.equal(await update('token-member'), 403, 'without the permission it is 403')
    t.strictSame(await stateOf(server), before, 'without the permission nothing is changed')
    t.equal(await update('token-admin'), 200, 'with the permission the member is updated')
  },

  'SA.6': async (server, t) => {
    for (const contract of [...numbered, searchProtectedAttachments]) await servesOneKind(server, t, contract)
  },
}

const ofKind = (user_type: string | undefined): Changes => ({ query: { user_type } })

/** The operations 1, 2, 3 and 6. */
const numbered: readonly Contract[] = [
  uploadSignature,
  updateSubOrganizationMember,
  verifyDocument,
  addOrganizationMember,
]

const wrongKinds = [undefined, '', 'ENTERPRISE', 'enterprise_api']

async function servesOneKind(server: Server, t: Test, contract: Contract): Promise<void> {
  t.equal(await statusOf(server, contract, ofKind('ENTERPRISE_API')), 200, `${contract.id} takes it`)
  for (const kind of wrongKinds)
    t.match(await statusOf(server, contract, ofKind(kind)), /^4/, `${contract.id} refuses '${kind}'`)
}

/** What the document says of `user_type`. */
export const userTypes: ChecksOf<'SU'> = {
  'SU.1': async (server, t) => {
    for (const contract of numbered) {
      await servesOneKind(server, t, contract)
      const inForm = { ...ofKind(undefined), form: { user_type: 'ENTERPRISE_API' } }
      t.match(await statusOf(server, contract, inForm), /^4/, `${contract.id} does not read it in the form`)
    }
  },

  'SU.2': (server, t) => servesOneKind(server, t, searchProtectedAttachments),

  'SU.3': async (server, t) => {
    const kinds = async (user_type?: string): Promise<string[]> => {
      const response = await send(server, listCreditHistories, { query: { user_type, per_page: 100 } })
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
    const { link } = (await send(server, createSigningLink)).json()
    for (const kind of ['ENTERPRISE_API', ...wrongKinds])
      t.match((await send(server, createSigningLink, ofKind(kind))).json(), { link }, `by '${kind}', too`)
  },
}
