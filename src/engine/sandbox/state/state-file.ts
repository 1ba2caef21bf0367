import { type BigIntStats, chmodSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Adapter } from 'lowdb'
import { lock } from 'proper-lockfile'
import { schemaReference } from '../../../package-root.js'
import type { Fixtures, FixturesFormat } from '../../files/collections.js'
import { checkFixtures } from '../../files/fixtures.js'
import { fileErrorReason, InvalidFiles } from '../../files/invalid-files.js'
import { LARGEST_FILE, readSource } from '../../files/source-file.js'
import { StorageFailure } from './state.js'

/** The state can contain tokens. */
const MODE = 0o600

/** Milliseconds after which a lock that is not updated belongs to a dead process. */
const STALE = 2_500
/** 4 s in all: longer than STALE plus 1 s, by which proper-lockfile may date a new lock ahead. */
const RETRIES = { retries: 20, factor: 1, minTimeout: 200 }

/** Unlike lowdb's adapters, it locks the file, and creates it so that only its owner can read it. */
export class StateFile implements Adapter<Fixtures> {
  #knownStats: BigIntStats | undefined
  #hasLock = false
  #release: () => Promise<void> = async () => {}

  private constructor(
    private readonly format: FixturesFormat,
    private readonly name: string,
    private readonly path: string,
  ) {}

  /** @throws {InvalidFiles} if another process uses the file, it cannot be written, or the server reads it or its folder */
  static async open(format: FixturesFormat, file: string, name: string, inputs: readonly string[]): Promise<StateFile> {
    const path = existsSync(file) ? realpathSync(file) : resolve(file)
    const isRead = (other: string) => existsSync(other) && [path, dirname(path)].includes(realpathSync(other))
    const conflict =
      'The server reads this file, or its folder, as config, scenario or fixtures. Set --persist to another file.'
    if (inputs.some(isRead)) throw unusable(file, conflict)
    const stateFile = new StateFile(format, name, path)
    try {
      // Throws for a symbolic link to itself.
      statOf(path)
      await stateFile.#lock()
      return stateFile
    } catch (error) {
      const inUse =
        'The state is in use by another server. Stop it, or set --persist to another file: two servers on one file would lose changes.'
      const notWritable = `The file cannot be locked: ${fileErrorReason(error)}. Set --persist to a file in an existing folder that can be written.`
      throw unusable(file, isLocked(error) ? inUse : notWritable)
    }
  }

  async #lock(): Promise<void> {
    const lockfilePath = `${this.path}.lock`
    // The date of the lock is in the future if the system clock was set back.
    if (Number(statOf(lockfilePath)?.mtimeMs ?? 0) > Date.now() + STALE)
      await rm(lockfilePath, { recursive: true, force: true })
    const onCompromised = () => {
      this.#hasLock = false
    }
    const retries = existsSync(dirname(this.path)) ? RETRIES : 0
    const options = { lockfilePath, realpath: false, stale: STALE, update: 1_000, onCompromised, retries }
    this.#release = await lock(this.path, options)
    this.#hasLock = true
  }

  /** Null if empty or missing. @throws {InvalidFiles} for an invalid state */
  async read(): Promise<Fixtures | null> {
    const stats = statOf(this.path)
    if (stats === undefined || isEmpty(stats)) return null
    this.#knownStats = stats
    try {
      return await checkFixtures(this.format, await readSource(this.path, 'json'))
    } catch (error) {
      if (!(error instanceof InvalidFiles)) throw error
      const message =
        'The state file cannot be used, and was left unchanged. Repair it, move it away, or set --persist to another file.'
      throw unusable(this.path, message, error.complaints)
    }
  }

  /** @throws {StorageFailure} if it cannot be written; then the file is unchanged */
  async write(data: Fixtures): Promise<void> {
    const next = `${this.path}.next`
    try {
      if (!this.#hasLock) await this.#lock()
      const schema = schemaReference(this.path, 'fixtures')
      const text = JSON.stringify({ ...(schema !== undefined && { $schema: schema }), ...data }, null, 2)
      if (Buffer.byteLength(text) > LARGEST_FILE)
        throw this.#failure('it would have more than 64 MB', 'reset the sandbox, or remove records')
      // With the flag wx, the write fails if anything has this name already.
      await rm(next, { force: true })
      await writeFile(next, text, { mode: MODE, flag: 'wx' })
      // Synchronous from here to the rename: an edit in between would be overwritten.
      const current = statOf(this.path)
      const properties = ['dev', 'ino', 'size', 'mtimeNs'] as const
      const isUnchanged = properties.every((property) => current?.[property] === this.#knownStats?.[property])
      if (current !== undefined && !isUnchanged && !isEmpty(current))
        throw this.#failure('another program has changed it', RESTART_OR_MOVE)
      chmodSync(next, current === undefined ? MODE : Number(current.mode & 0o777n))
      renameSync(next, this.path)
      this.#knownStats = statOf(this.path)
    } catch (error) {
      await rm(next, { force: true }).catch(() => {})
      if (error instanceof StorageFailure) throw error
      if (isLocked(error)) throw this.#failure('another process has taken over the file', STOP_OTHER_SERVER)
      const remedy = `make ${dirname(this.name)} writable, with room for the file, and send the request again`
      throw this.#failure(fileErrorReason(error), remedy)
    }
  }

  #failure(why: string, remedy: string): StorageFailure {
    return new StorageFailure(`The change could not be stored in ${this.name}: ${why}. It has been undone; ${remedy}.`)
  }

  async close(): Promise<void> {
    await this.#release().catch(() => {})
  }
}

const STOP_OTHER_SERVER = 'stop the other server, or have one of the two use another file; then restart this server'
const RESTART_OR_MOVE =
  'restart the server to use the file as it is, or move the file away and send the request again: everything that was stored is then written to a new file'

function unusable(file: string, message: string, others: InvalidFiles['complaints'] = []): InvalidFiles {
  return new InvalidFiles([...others, { file: resolve(file), message }])
}

const isLocked = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ELOCKED'

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function isEmpty(stats: BigIntStats): boolean {
  return stats.isFile() && stats.size === 0n
}
