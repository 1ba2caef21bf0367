import { join, relative } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import { isFile } from '../../schemas/common.js'
import type { Contract } from '../../schemas/contract.js'
import { contracts } from '../../schemas/contracts.js'
import type { User } from '../../schemas/fixtures.js'
import { packageRoot } from '../package-root.js'
import type { Server } from '../server.js'

/** What `start` prints: where it listens, who may call, and a line to paste for each operation. */
export function banner(url: string, { worlds, settings }: Server): string {
  const users = [...worlds.root.state.collection('users').all()]
  const token = users[0]?.token ?? 'ANY'
  return [
    `countersign listens at ${url}   (a sandbox: ${url}/~NAME, admin: ${url}/__admin)`,
    '',
    'Tokens',
    ...tokens(users, settings.auth),
    '',
    'Try',
    ...contracts.map((contract) => `  ${curl(contract, url, token)}`),
    '',
  ].join('\n')
}

function tokens(users: readonly User[], auth: string): string[] {
  const lines = users
    .slice(0, 10)
    .map(
      ({ token, email, permissions }) =>
        `  ${token}   ${email}${permissions.length > 0 ? '   may manage sub-organization members' : ''}`,
    )
  if (auth === 'any') return [...lines, '  any other token is let in too']
  return lines.length > 0 ? lines : ['  none: the fixtures have no users; start with --auth any to let every token in']
}

/** A line that calls an operation with the examples of its contract. */
export function curl(contract: Contract, url: string, token: string): string {
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(contract.params.properties[name]?.examples?.[0]),
  )
  const query = examples(contract.query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  const form = Object.entries((contract.form?.properties ?? {}) as Record<string, TSchema>)
    .filter(([name, schema]) =>
      isFile(schema)
        ? contract.form?.required?.includes(name)
        : contract.form?.required?.includes(name) || contract.form?.required === undefined || name === 'code',
    )
    .map(
      ([name, schema]) =>
        `-F ${quoted(isFile(schema) ? `${name}=@${SAMPLE_FILE}` : `${name}=${schema.examples?.[0]}`)}`,
    )
  return [
    'curl',
    ...(contract.method === 'GET' ? [] : [`-X ${contract.method}`]),
    `-H 'Authorization: Bearer ${token}'`,
    ...form,
    quoted(`${url}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`),
  ].join(' ')
}

const SAMPLE_FILE = relative('', join(packageRoot, 'fixtures/files/signature.png'))

/** Required parameters, and the ones that a call is pointless without. */
function examples(schema: Contract['query']): [string, string][] {
  return Object.entries(schema.properties)
    .filter(([name]) => schema.required?.includes(name))
    .map(([name, property]) => [name, String((property as TSchema).examples?.[0] ?? '')])
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
