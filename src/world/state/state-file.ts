import { type BigIntStats, chmodSync, lstatSync, readlinkSync, realpathSync, renameSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Adapter } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import type { Fixtures } from '../../../schemas/fixtures.js'
import { deepFreeze } from '../../../schemas/freeze.js'
import { schemaReference } from '../../package-root.js'
import { fileErrorReason, UnusableFiles } from '../../text/invalid-files.js'
import { readSource } from '../../text/source-file.js'
import { checkFixtures } from './fixtures.js'
import { copyOf } from './lists.js'
import { HeldElsewhere, Lock, Refusal } from './lock.js'
import { StorageFailure } from './store.js'

/** The state can contain tokens: only its owner may read it. */
const MODE = 0o600

interface Surroundings {
  /** How the user wrote the file. */
  readonly name?: string
  /** Files and folders of the fixtures. */
  readonly places?: readonly string[]
}

/**
 * A lowdb adapter over lowdb's own: a world's changes in a fixtures file that one process holds. Each version is written
 * beside the file by `JSONFile`, and takes its place only where nobody else has been at it.
 */
export class StateFile implements Adapter<Fixtures> {
  /** As the user wrote it, as that is in full, and where it is, symbolic links resolved. */
  readonly #name: string
  readonly #file: string
  readonly #path: string
  readonly #lock: Lock
  readonly #next: string
  readonly #json: JSONFile<Fixtures>
  /** How this process left the file; undefined while there is none of its own. */
  #left: BigIntStats | undefined

  private constructor(name: string, file: string, path: string, lock: Lock) {
    this.#name = name
    this.#file = file
    this.#path = path
    this.#lock = lock
    this.#next = join(lock.folder, 'next.json')
    this.#json = new JSONFile(this.#next)
  }

  /**
   * Takes the file for this process.
   * @throws {InvalidFiles} when another process has it, its folder cannot be written, or it is one of the fixtures
   */
  static async open(file: string, { name = file, places = [] }: Surroundings = {}): Promise<StateFile> {
    try {
      const path = targetOf(resolve(file))
      if (places.some((one) => [path, dirname(path)].includes(realpathSync(one)))) throw isAmongFixtures(resolve(file))
      return new StateFile(name, resolve(file), path, await Lock.take(`${path}.lock`))
    } catch (error) {
      if (error instanceof UnusableFiles) throw error
      const message =
        error instanceof HeldElsewhere
          ? `The state is in use by the process ${error.pid}. Stop that process, or name another file with --persist: two servers on one file would lose changes.`
          : `The lock of the state cannot be written: ${fileErrorReason(error)}. With --persist, name a file in an existing folder that can be written.`
      throw unusable(resolve(file), message)
    }
  }

  /**
   * What the file holds; an empty one holds nothing.
   * @throws {InvalidFiles} for what is no state; it is left as it is
   */
  async read(): Promise<Fixtures | null> {
    const found = lookAt(this.#path)
    if (found?.isFile() && found.nlink > 1n) throw hasOtherNames(this.#file)
    if (found === undefined || isVacant(found)) return null
    this.#left = found
    try {
      return copyOf(deepFreeze(await checkFixtures(await readSource(this.#path, 'json', this.#file))))
    } catch (error) {
      if (!(error instanceof UnusableFiles)) throw error
      const message =
        'The state cannot be used. The file was left as it is. Repair it, move it away, or name another one with --persist.'
      throw unusable(this.#file, message, error.complaints)
    }
  }

  /** @throws {StorageFailure} when it cannot be written; then the file holds what it held before */
  async write(data: Fixtures): Promise<void> {
    try {
      // Made again where it was deleted: the next version is written in it.
      this.#lock.hold()
      const schema = schemaReference(this.#path, 'fixtures')
      await this.#json.write({ ...(schema !== undefined && { $schema: schema }), ...data })
      this.#lock.hold()
      const mode = this.#requireUntouched()
      chmodSync(this.#next, mode)
      renameSync(this.#next, this.#path)
      this.#left = lookAt(this.#path)
    } catch (error) {
      const remedy =
        error instanceof Refusal
          ? error.remedy
          : `make ${dirname(this.#name)} writable, with room for the file, and send the request again`
      throw new StorageFailure(
        `The change could not be stored in ${this.#name}: ${causeOf(error)}. It has been undone; ${remedy}.`,
      )
    }
  }

  close(): void {
    this.#lock.release()
  }

  /**
   * The mode of the file; an empty or a missing one may be replaced.
   * @throws {Refusal} when what is there is not what this process wrote or read
   */
  #requireUntouched(): number {
    const found = lookAt(this.#path)
    if (found === undefined) return MODE
    const isUntouched = (['dev', 'ino', 'size', 'mtimeNs'] as const).every((one) => found[one] === this.#left?.[one])
    if (!isUntouched && !isVacant(found)) {
      throw new Refusal(
        'another program has changed it',
        'restart the server to use the file as it is, or move the file away and send the request again: everything that was stored is then written to a new file',
      )
    }
    return Number(found.mode & 0o777n)
  }
}

function unusable(file: string, message: string, others: UnusableFiles['complaints'] = []): UnusableFiles {
  return new UnusableFiles([...others, { code: 'state', file, message }])
}

function isAmongFixtures(file: string): UnusableFiles {
  return unusable(
    file,
    'The state file is one of the fixtures that the server starts with. Name another file with --persist.',
  )
}

function hasOtherNames(file: string): UnusableFiles {
  return unusable(
    file,
    'The state file has another name (a hard link), and the first write would make two files of it. Copy the file, and name the copy with --persist.',
  )
}

function lookAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

function isVacant(found: BigIntStats): boolean {
  return found.isFile() && found.size === 0n
}

/** Symbolic links that are followed at most, as Linux does. */
const MOST_LINKS = 40

/** Where a file is, or will be made: its path with every symbolic link resolved. */
function targetOf(name: string, links = MOST_LINKS): string {
  const folder = realpathSync(dirname(name))
  const path = join(folder, basename(name))
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  if (isLink && links === 0) throw new Error('its symbolic links form a loop')
  return isLink ? targetOf(resolve(folder, readlinkSync(path)), links - 1) : path
}

const CAUSES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission to write there was denied',
  EPERM: 'permission to write there was denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder does not exist',
  EBUSY: 'it is mounted as a single file, which cannot be replaced. Mount its folder instead',
}

function causeOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  return CAUSES[code ?? ''] ?? message
}
