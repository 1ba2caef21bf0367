import { contracts } from '../../schemas/contracts.js'
import { listCreditHistories, verifyDocument } from '../../schemas/index.js'
import { statusesOf } from '../../src/engine/contract/contract.js'
import { send } from '../helper.js'
import { type ChecksOf, type DocumentedCall, documentedCalls, encodings, fetchOptions, sendCall } from './checks.js'

const calls: readonly [string, DocumentedCall][] = Object.entries(documentedCalls)
const ISO_8601_IN_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

export const conventions: ChecksOf<'S0'> = {
  'S0.1': async (server, t) => {
    const url = await server.listen()
    for (const base of [url, `${url}/~elsewhere`]) {
      for (const [operation, request] of calls) {
        const { target, ...init } = fetchOptions(request)
        t.equal((await fetch(base + target, init)).status, 200, `${operation} is below the base address ${base}`)
      }
    }
    const { updateSubOrganizationMember: update } = documentedCalls
    const other = update.path.replace('101', '102')
    t.match((await sendCall(server, { ...update, path: other })).json(), { data: { id: 102 } }, 'another member')
    const template = '/api/v2/sub-organizations/{subOrganizationUuid}/members/{subOrgMemberId}'
    t.equal((await sendCall(server, { ...update, path: template })).statusCode, 404, 'not the template')
  },

  'S0.2': async (server, t) => {
    const withBody = calls.filter(([, { fields }]) => fields !== undefined)
    t.equal(withBody.length, 4, 'four operations have a body')
    for (const [operation, request] of withBody) {
      for (const type of Object.keys(encodings)) {
        const { statusCode } = await sendCall(server, request, type)
        t.equal(statusCode === 200, type === 'multipart/form-data', `${operation} answers ${statusCode} to ${type}`)
      }
    }
  },

  'S0.3': async (server, t) => {
    for (const contract of contracts) {
      for (const status of statusesOf(contract)) {
        const response = await send(server, contract, { headers: { prefer: `code=${status}` } })
        const label = `the body of ${contract.id} with ${status}`
        t.match(response.headers['content-type'], /^application\/json\b/, `${label} has the type JSON`)
        t.type(JSON.parse(response.body), 'object', `${label} is JSON`)
      }
    }
  },

  'S0.4': async (server, t) => {
    for (const [operation, request] of calls) {
      t.equal((await sendCall(server, request)).statusCode, 200, `${operation} is at ${request.path}`)
      const path = operation === 'uploadSignature' ? `/api/v2${request.path}` : request.path.replace('/api/v2', '')
      t.equal((await sendCall(server, { ...request, path })).statusCode, 404, `nothing is at ${path}`)
    }
  },

  'S0.6': async (server, t) => {
    const { document } = (await send(server, verifyDocument)).json()
    t.match(document.verified_at, ISO_8601_IN_UTC, 'verified_at of a document is ISO 8601 in UTC')
    const { histories } = (await send(server, listCreditHistories, { query: { per_page: 100 } })).json()
    t.ok(histories.length > 10, 'there are credit records')
    for (const { id, created_at } of histories)
      t.match(created_at, ISO_8601_IN_UTC, `created_at of credit record ${id} is ISO 8601 in UTC`)
  },
}
