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

/** The document's "Authentication". */
export const authentication: ChecksOf<'SA'> = {
  'SA.1': async (server, t) => {
    const before = await stateOf(server)
    for (const contract of contracts)
      for (const [label, changes] of Object.entries(badTokens))
        t.not(await statusOf(server, contract, changes), 200, `SA.1: ${contract.id} does not succeed with ${label}`)
    t.strictSame(await stateOf(server), before, 'SA.1: nothing has changed')
    t.strictSame(await mailsOf(server), [], 'SA.1: no mail was sent')
    for (const contract of contracts)
      t.equal(await statusOf(server, contract), 200, `SA.1: ${contract.id} succeeds with a valid token`)
  },

  'SA.2': async (server, t) => {
    for (const contract of contracts) {
      const statusWith = (authorization: string) => statusOf(server, contract, { headers: { authorization } })
      t.equal(await statusWith('Bearer token-admin'), 200, `SA.2: ${contract.id} takes a bearer token`)
      t.equal(await statusWith('token-admin'), 401, `SA.2: ${contract.id} takes no token without 'Bearer'`)
      t.equal(await statusWith('Basic token-admin'), 401, `SA.2: ${contract.id} takes no token of another scheme`)
    }
  },

  'SA.3': async (server, t) => {
    const byUserToken = await send(server, searchProtectedAttachments, {
      headers: { authorization: undefined, 'user-token': 'token-admin' },
    })
    t.equal(byUserToken.statusCode, 200, 'SA.3: the project search takes the header user-token')
    t.strictSame(byUserToken.json(), (await send(server, searchProtectedAttachments)).json(), 'SA.3: it finds the same')
    const unknown = { headers: { authorization: undefined, 'user-token': 'nobody' } }
    t.equal(await statusOf(server, searchProtectedAttachments, unknown), 401, 'SA.3: an unknown user-token is refused')
  },

  'SA.4': async (server, t) => {
    for (const contract of contracts)
      for (const [label, changes] of Object.entries(badTokens))
        t.equal(await statusOf(server, contract, changes), 401, `SA.4: ${contract.id} answers 401 to ${label}`)
  },

  'SA.5': async (server, t) => {
    const before = await stateOf(server)
    const update = (token: string) =>
      statusOf(server, updateSubOrganizationMember, { ...bearer(token), form: { first_name: 'Changed' } })
    t.equal(await update('token-member'), 403, 'SA.5: without the permission it is 403')
    t.strictSame(await stateOf(server), before, 'SA.5: without the permission nothing is changed')
    t.equal(await update('token-admin'), 200, 'SA.5: with the permission the member is updated')
  },

  'SA.6': async (server, t) => {
    for (const contract of requiring) {
      t.equal(await statusOf(server, contract, ofKind('ENTERPRISE_API')), 200, `SA.6: ${contract.id} serves this kind`)
      t.not(await statusOf(server, contract, ofKind('ENTERPRISE')), 200, `SA.6: ${contract.id} serves no other kind`)
    }
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
const requiring = [...numbered, searchProtectedAttachments]

const wrongKinds = [undefined, '', 'ENTERPRISE', 'enterprise_api']
const named = (kind: string | undefined) => (kind === undefined ? 'no kind' : `'${kind}'`)

/** What the document says of `user_type`. */
export const userTypes: ChecksOf<'SU'> = {
  'SU.1': async (server, t) => {
    for (const contract of numbered) {
      t.equal(await statusOf(server, contract, ofKind('ENTERPRISE_API')), 200, `SU.1: ${contract.id} takes it`)
      for (const kind of wrongKinds)
        t.match(await statusOf(server, contract, ofKind(kind)), /^4/, `SU.1: ${contract.id} refuses ${named(kind)}`)
      const inForm = { ...ofKind(undefined), form: { user_type: 'ENTERPRISE_API' } }
      t.match(await statusOf(server, contract, inForm), /^4/, `SU.1: ${contract.id} does not read it in the form`)
    }
  },

  'SU.2': async (server, t) => {
    t.equal(await statusOf(server, searchProtectedAttachments, ofKind('ENTERPRISE_API')), 200, 'SU.2: it is taken')
    for (const kind of wrongKinds)
      t.match(await statusOf(server, searchProtectedAttachments, ofKind(kind)), /^4/, `SU.2: ${named(kind)} is refused`)
  },

  'SU.3': async (server, t) => {
    const kinds = async (user_type?: string): Promise<string[]> => {
      const response = await send(server, listCreditHistories, { query: { user_type, per_page: 100 } })
      return response.json().histories.map((one: { user_type: string }) => one.user_type)
    }
    const all = await kinds()
    t.ok(new Set(all).size > 1, 'SU.3: without it records of several kinds are listed')
    for (const kind of new Set(all)) {
      const ofKind = all.filter((one) => one === kind)
      t.strictSame(await kinds(kind), ofKind, `SU.3: exactly those of ${kind}`)
    }
    t.strictSame(await kinds('NOBODY'), [], 'SU.3: with a kind that nobody is of no record is listed')
  },

  'SU.4': async (server, t) => {
    const { link } = (await send(server, createSigningLink)).json()
    for (const kind of ['ENTERPRISE_API', ...wrongKinds])
      t.match((await send(server, createSigningLink, ofKind(kind))).json(), { link }, `SU.4: by ${named(kind)}, too`)
  },
}
