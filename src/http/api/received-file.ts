import type { UploadedFile } from '../../../schemas/common.js'
import { sha256 } from '../../text/digest.js'

/** A file of a form. */
export class ReceivedFile implements UploadedFile {
  readonly filename: string
  readonly mimetype: string
  readonly size: number
  readonly content: Uint8Array
  #sha256: string | undefined

  constructor(filename: string, mimetype: string, content: Uint8Array) {
    this.filename = filename
    this.mimetype = mimetype
    this.size = content.byteLength
    this.content = content
  }

  /** Costs as much as receiving the file: computed when it is first read. */
  get sha256(): string {
    this.#sha256 ??= sha256(this.content)
    return this.#sha256
  }
}
