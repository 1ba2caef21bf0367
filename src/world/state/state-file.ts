import { type BigIntStats, chmodSync, existsSync, realpathSync, renameSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Adapter } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { lock } from 'proper-lockfile'
import type { Fixtures } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { schemaReference } from '../../package-root.js'
import { fileErrorReason, UnusableFiles } from '../../text/invalid-files.js'
import { readSource } from '../../text/source-file.js'
import { copyOf } from './collections.js'
import { checkFixtures } from './fixtures.js'
import { StorageFailure } from './state.js'

/** The state can contain tokens: only its owner may read it. */
const MODE = 0o600

/** In milliseconds: a lock that was not touched for so long was left by a process that died. */
const STALE = 2_500
/** Long enough for one to become stale. */
const RETRIES = { retries: 15, factor: 1, minTimeout: 200 }

interface Surroundings {
  /** How the user wrote the file. */
  readonly name?: string
  /** Files and folders of the fixtures. */
  readonly places?: readonly string[]
}

/** A lowdb adapter over lowdb's own: a fixtures file that one process holds. A version takes its place in one step. */
export class StateFile implements Adapter<Fixtures> {
  /** As the user wrote it, and where it is, symbolic links resolved. */
  readonly #name: string
  readonly #path: string
  readonly #next: string
  readonly #json: JSONFile<Fixtures>
  /** How this process left the file; undefined while there is none of its own. */
  #left: BigIntStats | undefined
  #isTaken = false
  #release: () => Promise<void> = async () => {}

  private constructor(name: string, path: string) {
    this.#name = name
    this.#path = path
    this.#next = `${path}.next`
    this.#json = new JSONFile(this.#next)
  }

  /**
   * Takes the file for this process.
   * @throws {UnusableFiles} when another process has it, its folder cannot be written, or it is one of the fixtures
   */
  static async open(name: string, { name: written = name, places = [] }: Surroundings = {}): Promise<StateFile> {
    const given = resolve(name)
    const path = existsSync(given) ? realpathSync(given) : given
    if (places.some((one) => [path, dirname(path)].includes(realpathSync(one))))
      throw unusable(
        given,
        'The state file is one of the fixtures that the server starts with. Name another file with --persist.',
      )
    const file = new StateFile(written, path)
    const onCompromised = () => {
      file.#isTaken = true
    }
    const options = { lockfilePath: `${path}.lock`, realpath: false, stale: STALE, update: 1_000, onCompromised }
    try {
      file.#release = await lock(path, { ...options, retries: RETRIES })
    } catch (error) {
      const message =
        (error as NodeJS.ErrnoException).code === 'ELOCKED'
          ? 'The state is in use by another server. Stop it, or name another file with --persist: two servers on one file would lose changes.'
          : `The lock of the state cannot be written: ${fileErrorReason(error)}. With --persist, name a file in an existing folder that can be written.`
      throw unusable(given, message)
    }
    return file
  }

  /**
   * What the file holds; an empty one holds nothing.
   * @throws {UnusableFiles} for what is no state; it is left as it is
   */
  async read(): Promise<Fixtures | null> {
    const found = lookAt(this.#path)
    if (found === undefined || isVacant(found)) return null
    this.#left = found
    try {
      return copyOf(deepFreeze(await checkFixtures(await readSource(this.#path, 'json'))))
    } catch (error) {
      if (!(error instanceof UnusableFiles)) throw error
      const message =
        'The state cannot be used. The file was left as it is. Repair it, move it away, or name another one with --persist.'
      throw unusable(this.#path, message, error.complaints)
    }
  }

  /** @throws {StorageFailure} when it cannot be written; then the file holds what it held before */
  async write(data: Fixtures): Promise<void> {
    try {
      const schema = schemaReference(this.#path, 'fixtures')
      await this.#json.write({ ...(schema !== undefined && { $schema: schema }), ...data })
      const found = lookAt(this.#path)
      this.#requireUntouched(found)
      chmodSync(this.#next, found === undefined ? MODE : Number(found.mode & 0o777n))
      renameSync(this.#next, this.#path)
      this.#left = lookAt(this.#path)
    } catch (error) {
      const { remedy = `make ${dirname(this.#name)} writable, with room for the file, and send the request again` } =
        error as Partial<Refusal>
      const why = fileErrorReason(error)
      throw new StorageFailure(
        `The change could not be stored in ${this.#name}: ${why}. It has been undone; ${remedy}.`,
      )
    }
  }

  /** A lock that cannot be released is taken over, as that of a dead process. */
  async close(): Promise<void> {
    await this.#release().catch(() => {})
  }

  /** @throws {Refusal} when the file is another server's, or not what this process wrote or read; an empty one may be replaced */
  #requireUntouched(found: BigIntStats | undefined): void {
    if (this.#isTaken)
      throw new Refusal(
        'another process has taken over the file',
        'stop one of the two servers, or have it use another file, and restart this server',
      )
    const isUntouched = (['dev', 'ino', 'size', 'mtimeNs'] as const).every((one) => found?.[one] === this.#left?.[one])
    if (found === undefined || isUntouched || isVacant(found)) return
    throw new Refusal(
      'another program has changed it',
      'restart the server to use the file as it is, or move the file away and send the request again: everything that was stored is then written to a new file',
    )
  }
}

/** Why a file is not written, and what helps, both as parts of a sentence. */
class Refusal extends Error {
  readonly remedy: string

  constructor(why: string, remedy: string) {
    super(why)
    this.remedy = remedy
  }
}

function unusable(file: string, message: string, others: UnusableFiles['complaints'] = []): UnusableFiles {
  return new UnusableFiles([...others, { code: 'state', file, message }])
}

function lookAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function isVacant(found: BigIntStats): boolean {
  return found.isFile() && found.size === 0n
}
