import { createHash, type Hash } from 'node:crypto'
import type { UploadedFile } from '../../../../schemas/common.js'
import { BLANK_LINE, type PartHead, readPartHead, textOfPart } from '../multipart.js'

const NOTHING: Buffer = Buffer.alloc(0)
/** Bytes that are kept of a file: as many as tell of what kind it is, and one that was sent as text. */
const BEGINNING = 4096

/** One part of a form that streams by: the line end of its delimiter, its head, then its text or its file. */
export class PartStream {
  readonly #files: ReadonlySet<string>
  #block: Buffer = NOTHING
  #head: PartHead | undefined
  #broken = false
  #taken = 0
  readonly #texts: Buffer[] = []
  #hash: Hash | undefined
  #size = 0
  #beginning: Buffer = NOTHING

  /** `files` are names that are files whatever their parts say. */
  constructor(files: ReadonlySet<string>) {
    this.#files = files
  }

  get isEmpty(): boolean {
    return this.#taken <= 2
  }

  /**
   * Takes the next bytes, and returns how many of them it keeps.
   * @throws {UnreadableForm} for a head that declares no part of a form; what follows is ignored
   */
  take(bytes: Buffer): number {
    this.#taken += bytes.byteLength
    if (this.#broken) return 0
    if (this.#head !== undefined) return this.#takeContent(this.#head, bytes)
    this.#block = Buffer.concat([this.#block, bytes])
    const blank = this.#block.indexOf(BLANK_LINE)
    if (blank < 0) return bytes.byteLength
    const content = this.#block.subarray(blank + BLANK_LINE.length)
    return this.#takeContent(this.#readHead(this.#block.subarray(0, blank)), content)
  }

  /**
   * The part, once all of it was taken.
   * @throws {UnreadableForm} for a head that declares no part of a form, and for a text that cannot be decoded
   */
  end(): { readonly name: string; readonly value: string | UploadedFile } {
    const head = this.#head ?? this.#readHead(this.#block)
    const { name, filename, mimetype } = head
    if (filename === undefined) return { name, value: textOfPart(head, Buffer.concat(this.#texts)) }
    const sha256 = (this.#hash ?? createHash('sha256')).digest('hex')
    return { name, value: { filename, mimetype, size: this.#size, content: this.#beginning, sha256 } }
  }

  #readHead(block: Buffer): PartHead {
    this.#broken = true
    this.#head = readPartHead(block, this.#files)
    this.#broken = false
    this.#block = NOTHING
    return this.#head
  }

  #takeContent({ filename }: PartHead, bytes: Buffer): number {
    if (filename === undefined) {
      this.#texts.push(bytes)
      return bytes.byteLength
    }
    this.#size += bytes.byteLength
    this.#hash ??= createHash('sha256')
    this.#hash.update(bytes)
    if (this.#beginning.byteLength < BEGINNING) {
      this.#beginning = Buffer.concat([this.#beginning, bytes.subarray(0, BEGINNING - this.#beginning.byteLength)])
    }
    return 0
  }
}
