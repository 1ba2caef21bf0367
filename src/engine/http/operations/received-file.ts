import { hash } from 'node:crypto'
import type { UploadedFile } from '../../contract/fields.js'

export class ReceivedFile implements UploadedFile {
  readonly size: number
  #sha256: string | undefined

  constructor(
    readonly filename: string,
    readonly mimetype: string,
    readonly content: Buffer,
  ) {
    this.size = content.byteLength
  }

  /** Computed on first use: computing costs as much as receiving the file. */
  get sha256(): string {
    this.#sha256 ??= hash('sha256', this.content)
    return this.#sha256
  }
}
