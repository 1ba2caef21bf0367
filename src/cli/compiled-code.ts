import { readdirSync, rmSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { ownCache, trustedFolder } from './caches/own-cache.js'

/** What Node 22.8 and newer have besides. */
interface Compiler {
  readonly enableCompileCache?: (folder: string) => unknown
  readonly getCompileCacheDir?: () => string | undefined
  readonly flushCompileCache?: () => void
}

const compiler = module as Compiler

/** Files of compiled code, some 30 KB each; a program has fifty, and is known by where it is. */
const MOST_FILES = 2_000

/**
 * Has Node keep compiled code between starts where it can: in a folder that nobody else can write to, since it is run as
 * it is found. `NODE_COMPILE_CACHE` names another one, `NODE_DISABLE_COMPILE_CACHE` turns it off.
 */
export function keepCompiledCode(): void {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_COMPILE_CACHE || NODE_DISABLE_COMPILE_CACHE || compiler.getCompileCacheDir?.() !== undefined) return
  if (compiler.enableCompileCache === undefined) return
  const folder = cacheFolder()
  if (folder === undefined) return
  compiler.enableCompileCache(folder)
  isOurs = true
}

/** Whether the folder is ours: in another one, other programs may keep theirs. */
let isOurs = false

function cacheFolder(): string | undefined {
  const own = ownCache(() => {})
  try {
    return own && trustedFolder(join(own, 'compiled'), () => {})
  } catch {
    return undefined
  }
}

/** Writes what was compiled so far: a server may be killed. Programs that moved away leave theirs: all goes, at times. */
export function writeCompiledCode(): void {
  const folder = compiler.getCompileCacheDir?.()
  if (folder === undefined) return
  try {
    if (isOurs && readdirSync(folder).length > MOST_FILES) rmSync(folder, { recursive: true, force: true })
  } catch {
    // Nobody waits for it.
  }
  compiler.flushCompileCache?.()
}
