import { createRequire } from 'node:module'
import { join } from 'node:path'

/** A framework that an integration is for. */
interface Peer {
  /** The name of the package. */
  readonly name: string
  /** The first and the last major version that the integration supports. */
  readonly from: number
  readonly to: number
  /** The version that runs on every Node version that this package supports. */
  readonly suggested: number
  /** The import name of the integration. */
  readonly integration: string
}

/** The frameworks of the integrations. */
export const peers = {
  msw: { name: 'msw', from: 2, to: 3, suggested: 2, integration: 'countersign/msw' },
  playwright: { name: '@playwright/test', from: 1, to: 1, suggested: 1, integration: 'countersign/playwright' },
  vitest: { name: 'vitest', from: 3, to: 5, suggested: 4, integration: 'countersign/vitest' },
} as const satisfies Readonly<Record<string, Peer>>

/**
 * Loads a framework from the location of the integration, or from the working directory, for example for a linked package.
 * @throws {Error} that says what to install, if the framework is missing or has an unsupported version
 */
export function requirePeer(peer: Peer, require: NodeJS.Require): unknown {
  for (const one of [require, createRequire(join(process.cwd(), 'package.json'))]) {
    const version = versionOf(peer, one)
    if (version === undefined) continue
    requireVersion(peer, version)
    return one(peer.name)
  }
  throw missing(peer)
}

/**
 * Makes sure that a framework is installed, for an integration that imports it.
 * @throws {Error} that says what to install, if the framework is missing or has an unsupported version
 */
export function checkPeer(peer: Peer, require: NodeJS.Require): void {
  const version = versionOf(peer, require)
  if (version === undefined) throw missing(peer)
  requireVersion(peer, version)
}

function versionOf({ name }: Peer, require: NodeJS.Require): string | undefined {
  try {
    return (require(`${name}/package.json`) as { version: string }).version
  } catch {
    return undefined
  }
}

function requireVersion(peer: Peer, version: string): void {
  const major = Number.parseInt(version, 10)
  if (major >= peer.from && major <= peer.to) return
  throw new Error(
    `${peer.integration} supports ${peer.name} ${versionsOf(peer)}, but ${version} is installed. Install a supported version with ${install(peer)}.`,
  )
}

function missing(peer: Peer): Error {
  return new Error(`${peer.integration} needs the package ${peer.name}. Install it with ${install(peer)}.`)
}

const versionsOf = ({ from, to }: Peer) => (from === to ? `${from}` : `${from} to ${to}`)
const install = ({ name, suggested }: Peer) => `'npm install -D ${name}@${suggested}'`
