import { hash } from 'node:crypto'
import type { UploadedFile } from '../../contract/fields.js'

export function receivedFile(filename: string, mimetype: string, content: Buffer): UploadedFile {
  let sha256: string | undefined
  return {
    filename,
    mimetype,
    size: content.byteLength,
    content,
    /** Computed on first use: computing costs as much as receiving the file. */
    get sha256() {
      sha256 ??= hash('sha256', content)
      return sha256
    },
  }
}
