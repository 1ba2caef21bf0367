import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { addressOf, type Ended, folder, launch, type Place, type Running, UNHOOKED } from './binary.js'

const SCRIPT = fileURLToPath(new URL('../scripts/executable.mjs', import.meta.url))

/** Why no executable can be built here; false where it can. */
export const noExecutable =
  process.platform !== 'linux' && process.platform !== 'darwin'
    ? `executables are tested on Linux and macOS, not on ${process.platform}`
    : !readFileSync(process.execPath).includes('NODE_SEA_FUSE') &&
      `${process.execPath} cannot hold a program: it is not as nodejs.org has it`

/** Builds the executable in a folder of its own. */
export function buildExecutable(t: Test): string {
  const place = mkdtempSync(join(tmpdir(), 'countersign-'))
  t.teardown(() => rmSync(place, { recursive: true, force: true }))
  const out = join(place, 'countersign')
  const [unhook, ...unhooked] = UNHOOKED
  execFileSync(unhook, [...unhooked, process.execPath, SCRIPT, '--out', out], { stdio: 'pipe' })
  return out
}

/** Starts a program with these environment variables and no others: no PATH, no HOME. */
function launchBare(t: Test, [program, ...args]: readonly string[], { cwd, env = {} }: Place = {}): Running {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return launch(t, '/usr/bin/env', ['-i', ...variables, program as string, ...args], cwd === undefined ? {} : { cwd })
}

/** Runs it to its end. */
export function runBare(t: Test, command: readonly string[], place?: Place): Promise<Ended> {
  return launchBare(t, command, place).ended
}

/** A server on a free port. */
export async function serveBare(t: Test, program: string, place?: Place) {
  const running = launchBare(t, [program, 'start', '--port', '0'], place)
  const url = await addressOf(running)
  /** The folder that the program was unpacked into: the banner names a file in it. */
  const unpacked = /@'?(\/[^';]+)\/fixtures\/files\//.exec(running.out())?.[1] ?? 'none'
  return { ...running, url, unpacked }
}

/** A user's home, and a folder for temporary files. */
export function home(t: Test) {
  const path = folder(t, { 'tmp/.keep': '', 'home/.keep': '' })
  const env = { HOME: join(path, 'home'), TMPDIR: join(path, 'tmp') }
  const shelf = join(env.HOME, '.cache/countersign')
  return { env, shelf, temporary: () => readdirSync(env.TMPDIR).filter((name) => name !== '.keep') }
}
