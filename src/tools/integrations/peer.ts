import { createRequire } from 'node:module'
import { join } from 'node:path'

/** Supported major versions; `suggested` runs on every supported Node. */
export const peers = {
  msw: { name: 'msw', from: 2, to: 3, suggested: 2, integration: 'countersign/msw' },
  playwright: { name: '@playwright/test', from: 1, to: 1, suggested: 1, integration: 'countersign/playwright' },
  vitest: { name: 'vitest', from: 3, to: 5, suggested: 4, integration: 'countersign/vitest' },
} as const

type Peer = (typeof peers)[keyof typeof peers]

/** Prefers the project's version to one beside the entry point. @throws {Error} with the install command */
export function checkPeer(peer: Peer, file: string): { readonly require: NodeJS.Require; readonly isNearby: boolean } {
  const ownRequire = createRequire(file)
  const projectRequire = createRequire(join(process.cwd(), 'package.json'))
  const ownManifest = findManifest(peer, ownRequire)
  const manifest = findManifest(peer, projectRequire) ?? ownManifest
  const { name, from, to, suggested, integration } = peer
  const install = `'npm install -D ${name}@${suggested}'`
  if (manifest === undefined) throw new Error(`${integration} needs the package ${name}. Install it with ${install}.`)
  const { version } = ownRequire(manifest) as { version: string }
  const major = Number.parseInt(version, 10)
  const supported = from === to ? `${from}` : `${from} to ${to}`
  if (major < from || major > to)
    throw new Error(
      `${integration} supports ${name} ${supported}, but ${version} is installed. Install a supported version with ${install}.`,
    )
  const isNearby = manifest === ownManifest
  return { require: isNearby ? ownRequire : projectRequire, isNearby }
}

function findManifest({ name }: Peer, require: NodeJS.Require): string | undefined {
  try {
    return require.resolve(`${name}/package.json`)
  } catch {
    return undefined
  }
}
