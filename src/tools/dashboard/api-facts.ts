import { type Api, contractsOf } from '../../engine/api.js'
import { constantPairs } from '../../engine/contract/contract.js'
import { scenarioFileForEditors } from '../../engine/files/editors.js'
import { scenarioFormat } from '../../engine/files/scenario.js'
import type { Users } from '../../engine/sandbox/users.js'
import type { ApiFacts, DashboardKnowledge } from './knowledge.js'
import { fieldsIn, keysIn } from './schema-facts.js'

/** Collects what the dashboard's page tells its scripts. */
export async function readApiFacts(api: Api): Promise<ApiFacts> {
  // The module of the API has this type.
  const knowledge = (await api.forTools.dashboard?.()) as DashboardKnowledge | undefined
  const contracts = contractsOf(api)
  const shipped = Object.keys(api.scenarios())
  const scenarioSchema = scenarioFileForEditors(scenarioFormat(contracts), { ...api, contracts, shipped })
  return {
    collections: api.collections.map(({ name, key, unique, references, schema }) => {
      return { name, key, unique, references, fields: fieldsIn(schema) }
    }),
    users: { collection: api.users.collection.name, token: tokenField(api.users) },
    tokenHeaders: api.conventions.tokenHeaders.map(({ name, security }) => ({ name, security: security.name })),
    constantPairs: constantPairs(contracts),
    firstRead: contracts.find(({ method }) => method === 'GET')?.id,
    scenarioKeys: keysIn(scenarioSchema),
    mailSubjects: knowledge?.mailSubjects,
  }
}

/** In a record whose fields hold their own names, the token is the name of its field. */
function tokenField({ collection, token }: Users): string {
  const fields = Object.keys(collection.schema.properties)
  return token(Object.fromEntries(fields.map((name) => [name, name])))
}
