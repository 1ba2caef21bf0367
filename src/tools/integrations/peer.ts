import { createRequire } from 'node:module'
import { join } from 'node:path'

/**
 * The frameworks of the integrations: the first and the last major version that each supports, and one that runs on every
 * Node version that this package supports.
 */
export const peers = {
  msw: { name: 'msw', from: 2, to: 3, suggested: 2, integration: 'countersign/msw' },
  playwright: { name: '@playwright/test', from: 1, to: 1, suggested: 1, integration: 'countersign/playwright' },
  vitest: { name: 'vitest', from: 3, to: 5, suggested: 4, integration: 'countersign/vitest' },
} as const

type Peer = (typeof peers)[keyof typeof peers]

/**
 * Loads a framework from the location of the integration, or from the working directory, for example for a linked package.
 * @throws {Error} that says what to install, if the framework is missing or has an unsupported version
 */
export function requirePeer(peer: Peer, require: NodeJS.Require): unknown {
  const places = [require, createRequire(join(process.cwd(), 'package.json'))]
  const place = places.find((one) => versionOf(peer, one) !== undefined) ?? require
  checkPeer(peer, place)
  return place(peer.name)
}

/**
 * Makes sure that a framework is installed, for an integration that imports it.
 * @throws {Error} that says what to install, if the framework is missing or has an unsupported version
 */
export function checkPeer(peer: Peer, require: NodeJS.Require): void {
  const { name, from, to, suggested, integration } = peer
  const install = `'npm install -D ${name}@${suggested}'`
  const version = versionOf(peer, require)
  if (version === undefined) throw new Error(`${integration} needs the package ${name}. Install it with ${install}.`)
  const major = Number.parseInt(version, 10)
  if (major >= from && major <= to) return
  const supported = from === to ? `${from}` : `${from} to ${to}`
  throw new Error(
    `${integration} supports ${name} ${supported}, but ${version} is installed. Install a supported version with ${install}.`,
  )
}

function versionOf({ name }: Peer, require: NodeJS.Require): string | undefined {
  try {
    return (require(`${name}/package.json`) as { version: string }).version
  } catch {
    return undefined
  }
}
