import { type BigIntStats, fstatSync, readSync, statSync } from 'node:fs'

/** How a file stood when it was last written: what tells whether another program has been at it. */
export interface FileStamp {
  readonly dev: bigint
  readonly ino: bigint
  readonly size: bigint
  readonly mtimeNs: bigint
}

/** What stands at a path; undefined where nothing does. */
export function lookAt(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}

/** How an open file stands; `size` is what it should be, so that another one is noticed the next time. */
export function stampOf(descriptor: number, size?: number): FileStamp {
  const { dev, ino, mtimeNs, size: found } = fstatSync(descriptor, { bigint: true })
  return { dev, ino, mtimeNs, size: size === undefined ? found : BigInt(size) }
}

/** Whether two are one file: an inode's number is given to no other file while it is open. */
export function isSameFile(one: Pick<FileStamp, 'dev' | 'ino'>, other: Pick<FileStamp, 'dev' | 'ino'>): boolean {
  return one.dev === other.dev && one.ino === other.ino
}

/** Whether nobody has been at a file since, as far as it shows from outside. */
export function isAsStamped(found: FileStamp, stamp: FileStamp): boolean {
  return isSameFile(found, stamp) && found.size === stamp.size && found.mtimeNs === stamp.mtimeNs
}

/** Whether an open file holds these bytes at that position. */
export function holds(descriptor: number, bytes: Buffer, position: number): boolean {
  const found = Buffer.alloc(bytes.length)
  return readSync(descriptor, found, 0, found.length, position) === bytes.length && found.equals(bytes)
}
