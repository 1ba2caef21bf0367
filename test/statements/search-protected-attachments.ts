import { searchProtectedAttachments } from '../../schemas/index.js'
import type { Attachment } from '../../schemas/resources.js'
import { adminOf, type Changes, lastExchange, messageOf, type Server, send } from '../helper.js'
import { acceptsOnlyItsMethod, type ChecksOf, documentedCalls, sendCall, typesOf } from './checks.js'

type Keywords = readonly [first?: string, second?: string, third?: string]

function search(server: Server, [first, second, third]: Keywords, changes: Changes = {}) {
  const query = { 'keyword[sample_1]': first, 'keyword[sample_2]': second, 'keyword[sample_3]': third }
  return send(server, searchProtectedAttachments, { ...changes, query: { ...query, ...changes.query } })
}

async function found(server: Server, keywords: Keywords, token = 'token-admin'): Promise<readonly Attachment[]> {
  return (await search(server, keywords, { headers: { authorization: `Bearer ${token}` } })).json().data ?? []
}

async function attachmentsOf(server: Server, token: string): Promise<readonly Attachment[]> {
  const { users, projects, attachments } = await adminOf(server).state()
  const caller = users.find((user) => user.token === token)
  const ownProjects = projects.filter((project) => project.user_uuid === caller?.uuid).map(({ uuid }) => uuid)
  return attachments.filter(({ project_uuid }) => ownProjects.includes(project_uuid))
}

const idsOf = (attachments: readonly Attachment[]) => attachments.map(({ id }) => id)

const FIELDS = {
  integer: ['id', 'project_file_id', 'blockchain_id'],
  string: [
    ...['project_uuid', 'reference_number', 'type', 'category', 'status', 'name', 'file_name', 'storage', 'path'],
    ...['dna', 'project_file_meta', 'blockchain_uuid', 'event', 'network'],
  ],
}

export const searchProtectedAttachmentsChecks: ChecksOf<'S4'> = {
  'S4.1': acceptsOnlyItsMethod('searchProtectedAttachments'),

  'S4.2': async (server, t) => {
    t.equal((await search(server, ['lease'])).statusCode, 200, 'one keyword is enough')
    t.equal((await search(server, [undefined, 'lease'])).statusCode, 400, 'the first keyword is required')
    t.notSame(await found(server, ['lease']), await found(server, ['insurance']), 'keywords change the result')
  },

  'S4.3': async (server, t) => {
    const broad = idsOf(await found(server, ['contract']))
    for (const [second, third] of [['lease'], [undefined, '2025'], ['lease', '2025']]) {
      const ids = idsOf(await found(server, ['contract', second, third]))
      const label = `contract, ${second} and ${third} find`
      t.ok(ids.length > 0 && ids.length < broad.length, `${label} fewer than contract alone`)
      t.same(
        ids.filter((id) => !broad.includes(id)),
        [],
        `${label} nothing else`,
      )
    }
  },

  'S4.4': async (server, t) => {
    t.equal((await search(server, ['contract', 'lease', '2025'])).statusCode, 200, 'three keywords are accepted')
    for (const name of ['keyword[sample_4]', 'keyword[]', 'keyword[0]', 'keyword[sample_01]']) {
      const response = await search(server, ['contract', 'lease', '2025'], { query: { [name]: 'lease' } })
      t.match([response.statusCode, messageOf(response)], [400, `'${name}' is not documented`], `${name} is refused`)
      t.match((await lastExchange(server)).violations, [{ where: `query.${name}` }], `${name}: the journal records it`)
    }
  },

  'S4.5': async (server, t) => {
    for (const token of ['token-admin', 'token-member', 'token-other']) {
      const own = (await attachmentsOf(server, token)).filter(({ status }) => status === 'protected')
      const matches = await found(server, ['contract'], token)
      t.ok(matches.length > 0 && matches.length < own.length, `some of the documents of ${token} match`)
      const matching = own.filter((attachment) => /contract/i.test(JSON.stringify(attachment)))
      t.strictSame(idsOf(matches), idsOf(matching), `all matching documents of ${token}`)
      for (const { id, name } of own)
        t.ok(idsOf(await found(server, [name], token)).includes(id), `${token} finds '${name}'`)
      const foreign = (await adminOf(server).state()).attachments.filter(({ id }) => !idsOf(own).includes(id))
      for (const { id, reference_number } of foreign)
        t.notOk(idsOf(await found(server, [reference_number], token)).includes(id), `${token}: no document of others`)
    }
  },

  'S4.6': async (server, t) => {
    const { data, ...rest } = (await sendCall(server, documentedCalls.searchProtectedAttachments)).json()
    t.strictSame(typesOf(rest), { message: 'string' }, 'the other field is a message')
    t.ok(Array.isArray(data) && data.length > 0, 'data is an array of attachments')
  },

  'S4.7': async (server, t) => {
    const types = Object.fromEntries(Object.entries(FIELDS).flatMap(([type, names]) => names.map((key) => [key, type])))
    for (const attachment of await found(server, ['contract']))
      t.strictSame(typesOf(attachment), types, `attachment ${attachment.id} has these fields`)
  },

  'S4.8': async (server, t) => {
    const statuses = (await found(server, ['contract'])).map(({ status }) => status)
    t.ok(statuses.includes('protected'), "the value 'protected' occurs")
  },

  'S4.9': async (server, t) => {
    for (const { id, project_file_meta } of await found(server, ['contract']))
      t.type(JSON.parse(project_file_meta), 'object', `project_file_meta of attachment ${id} is JSON`)
  },
}
