import { contracts } from '../../schemas/contracts.js'
import type { User } from '../../schemas/fixtures.js'
import { curlLine } from '../docs/sample-call.js'
import { isLoopback } from '../http/loopback.js'
import { exampleValues } from '../operations/example-values.js'
import type { Server } from '../server/create-server.js'
import { asWritten } from '../text/written-paths.js'
import type { Settings } from '../world/settings.js'
import type { World } from '../world/world.js'

const MOST_TOKENS = 10

/** What `start` prints: where it listens, what it has read, who may call, and a line to paste for each operation. */
export function banner(url: string, { worlds: { root } }: Server): string {
  const { provider } = root.settings
  const users = root.state.collection('users').all()
  const values = provider === undefined ? exampleValues(root) : PLACEHOLDERS
  const token = provider === undefined ? (root.firstUser?.token ?? 'ANY') : 'TOKEN'
  return [
    `countersign listens at ${url}`,
    '',
    ...aligned([
      ...placesOf(url, root.settings),
      ...providerOf(root.settings),
      ['config file', configOf(root.settings)],
      ['on', onIn(root)],
    ]),
    '',
    'Tokens',
    ...(provider === undefined ? tokens(users, root.settings.auth) : [providerTokens(root.settings)]),
    '',
    provider === undefined ? 'Try' : 'Try, with values that exist at the provider in place of the words in capitals',
    ...contracts.map((contract) => `  ${curlLine(contract, url, token, ' ', values)}`),
    '',
  ].join('\n')
}

/** Only the provider knows its records, and a line that is pasted as it is must change none of them. */
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

type Row = readonly [name: string, value: string]

function aligned(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)
}

/** Where to look and what to call, as far as it is open. */
function placesOf(url: string, { host, adminToken }: Settings): Row[] {
  const sandbox: Row = ['a sandbox', `${url}/~NAME`]
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

/** Where calls are forwarded to. */
function providerOf({ provider, fallback }: Settings): Row[] {
  if (provider === undefined) return []
  const otherwise = fallback ? '; while it cannot be reached, the mock answers' : ''
  return [['the provider', `calls are forwarded to ${provider}${otherwise}`]]
}

function providerTokens({ providerToken }: Settings): string {
  return providerToken === undefined
    ? "  Those of the provider's users: calls are forwarded with the token that they bring."
    : '  Any: calls are forwarded with the token set with --provider-token.'
}

function configOf({ configFile, written }: Settings): string {
  return configFile === undefined ? 'none' : asWritten(written, configFile)
}

function onIn({ playback }: World): string {
  return playback.active.length === 0 ? 'no scenario' : playback.active.join(', ')
}

function tokens(users: readonly User[], auth: string): string[] {
  const lines = users
    .slice(0, MOST_TOKENS)
    .map(({ token, email, permissions }) => `  ${[token, email, ...permissions].join('   ')}`)
  if (auth === 'any') return [...lines, '  Any other token is accepted as well.']
  return lines.length > 0 ? lines : ['  none: the fixtures have no users. Use --auth any to accept every token.']
}
