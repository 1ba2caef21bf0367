import type * as files from 'node:fs/promises'
import type { Test } from 'tap'

/**
 * The state file over other calls of the file system. A mock reaches only what imports it, not what that imports in turn,
 * so each module that writes is mocked by itself.
 */
export async function stateFileOver(t: Test, disk: Partial<typeof files>) {
  const calls = { 'node:fs/promises': { ...(await import('node:fs/promises')), ...disk } }
  const log = await t.mockImport<typeof import('../../src/world/state/log-file.js')>(
    '../../src/world/state/log-file.js',
    calls,
  )
  const { StateFile } = await t.mockImport<typeof import('../../src/world/state/state-file.js')>(
    '../../src/world/state/state-file.js',
    { '../../src/world/state/log-file.js': log },
  )
  return StateFile
}

/** `takeLock` over other calls of the file system. */
export async function takeLockOver(t: Test, disk: Partial<typeof files>) {
  const calls = { 'node:fs/promises': { ...(await import('node:fs/promises')), ...disk } }
  const claim = await t.mockImport<typeof import('../../src/world/state/lock-claim.js')>(
    '../../src/world/state/lock-claim.js',
    calls,
  )
  const { takeLock } = await t.mockImport<typeof import('../../src/world/state/lock.js')>(
    '../../src/world/state/lock.js',
    { ...calls, '../../src/world/state/lock-claim.js': claim },
  )
  return takeLock
}
