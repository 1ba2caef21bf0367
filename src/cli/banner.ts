import { contracts } from '../../schemas/contracts.js'
import type { User } from '../../schemas/fixtures.js'
import { curlLine } from '../docs/example-call.js'
import { exampleValues } from '../operations/example-values.js'
import type { Server } from '../server/create-server.js'

const MOST_TOKENS = 10

/** What `start` prints: where it listens, who may call, and a line to paste for each operation. */
export function banner(url: string, { worlds: { root } }: Server): string {
  const users = [...root.state.collection('users').all()]
  const values = exampleValues(root)
  const token = root.firstUser?.token ?? 'ANY'
  return [
    `countersign listens at ${url}`,
    '',
    `  a sandbox  ${url}/~NAME`,
    `  admin      ${url}/__admin`,
    `  the docs   ${url}/__admin/docs`,
    '',
    'Tokens',
    ...tokens(users, root.settings.auth),
    '',
    'Try',
    ...contracts.map((contract) => `  ${curlLine(contract, url, token, ' ', values)}`),
    '',
  ].join('\n')
}

function tokens(users: readonly User[], auth: string): string[] {
  const lines = users
    .slice(0, MOST_TOKENS)
    .map(({ token, email, permissions }) => `  ${[token, email, ...permissions].join('   ')}`)
  if (auth === 'any') return [...lines, '  Any other token is accepted, too.']
  return lines.length > 0 ? lines : ['  none: the fixtures have no users; --auth any lets every token in']
}
