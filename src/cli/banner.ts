import { contracts } from '../../schemas/contracts.js'
import type { User } from '../../schemas/fixtures.js'
import { curlLine } from '../docs/sample-call.js'
import { isLoopback } from '../http/loopback.js'
import { exampleValues } from '../operations/example-values.js'
import { nameFrom } from '../server/complaints.js'
import type { Server } from '../server/create-server.js'
import { forwardedTo } from '../server/provider-settings.js'
import type { Settings } from '../world/settings.js'

const MOST_TOKENS = 10

/** What `start` prints: where it listens, what it has read, who may call, and a line to paste for each operation. */
export function banner(url: string, { worlds: { root } }: Server): string {
  const { settings, playback } = root
  const { provider, configFile, folder } = settings
  const users = root.state.collection('users').all()
  const values = provider === undefined ? exampleValues(root) : PLACEHOLDERS
  const token = provider === undefined ? (root.firstUser?.token ?? 'ANY') : 'TOKEN'
  const rows = [
    ...placesOf(url, settings),
    ...(provider === undefined ? [] : [['the provider', `calls are ${forwardedTo(settings)}`] as const]),
    ['config file', configFile === undefined ? 'none' : nameFrom(folder, configFile)],
    ['on', playback.active.length === 0 ? 'no scenario' : playback.active.join(', ')],
  ] as const
  const width = Math.max(...rows.map(([name]) => name.length))
  return [
    `countersign listens at ${url}`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`),
    '',
    'Tokens',
    ...tokens(users, settings),
    '',
    provider === undefined ? 'Try' : 'Try, with values that exist at the provider in place of the words in capitals',
    ...contracts.map((contract) => `  ${curlLine(contract, url, token, ' ', values)}`),
    '',
  ].join('\n')
}

/** Only the provider knows its records, and a line that is pasted unchanged must change none of them. */
const PLACEHOLDERS = {
  subOrganizationUuid: 'SUB_ORGANIZATION_UUID',
  subOrgMemberId: 'MEMBER_ID',
  first_name: 'FIRST_NAME',
  last_name: 'LAST_NAME',
  code: 'CODE',
  user_uuid: 'USER_UUID',
  'keyword[sample_1]': 'KEYWORD',
  organization_uuid: 'ORGANIZATION_UUID',
  'data[0][email]': 'EMAIL',
  'data[0][first_name]': 'FIRST_NAME',
  'data[0][last_name]': 'LAST_NAME',
  'data[0][organization_id]': 'ORGANIZATION_ID',
  uuid: 'PROJECT_UUID',
  email: 'EMAIL',
}

/** Where to look and what to call, as far as it is open. */
function placesOf(url: string, { host, adminToken }: Settings): (readonly [name: string, value: string])[] {
  const sandbox = ['a sandbox', `${url}/~NAME`] as const
  if (adminToken === undefined && !isLoopback(host)) {
    const why = `closed: the server listens on ${host} without a token. Set --admin-token to open it`
    return [sandbox, ['admin', why]]
  }
  const access = adminToken === undefined ? 'open to this machine' : 'requires the token set with --admin-token'
  return [
    ['the dashboard', `${url}/__admin/`],
    ['the docs', `${url}/__admin/docs`],
    sandbox,
    ['admin', `${url}/__admin   ${access}`],
  ]
}

function tokens(users: readonly User[], { provider, providerToken, auth }: Settings): string[] {
  if (provider !== undefined)
    return providerToken === undefined
      ? ["  Those of the provider's users: calls are forwarded with the token that they bring."]
      : ['  Any: calls are forwarded with the token set with --provider-token.']
  const lines = users
    .slice(0, MOST_TOKENS)
    .map(({ token, email, permissions }) => `  ${[token, email, ...permissions].join('   ')}`)
  if (auth === 'any') return [...lines, '  Any other token is accepted as well.']
  return lines.length > 0 ? lines : ['  none: the fixtures have no users. Use --auth any to accept every token.']
}
