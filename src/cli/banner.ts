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
  const users = [...root.state.collection('users').all()]
  const values = exampleValues(root)
  const token = root.firstUser?.token ?? 'ANY'
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
    ...tokens(users, root.settings.auth),
    '',
    'Try',
    ...contracts.map((contract) => `  ${curlLine(contract, url, token, ' ', values)}`),
    '',
  ].join('\n')
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
