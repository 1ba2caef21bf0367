import { getAsset, getRawAsset } from 'node:sea'
import { brotliDecompressSync } from 'node:zlib'

/** One file of the package, by its path with slashes. */
export interface PackedFile {
  readonly path: string
  readonly size: number
}

/** What `pack.mjs` writes beside the content. */
interface Manifest {
  /** The folder that it is unpacked into: the version, and a digest of the content. */
  readonly folder: string
  readonly files: readonly PackedFile[]
}

/** The package inside the executable. */
export interface Parcel extends Manifest {
  /** The bytes of all files, one after the other. */
  readonly content: () => Buffer
}

export function readParcel(): Parcel {
  const manifest = JSON.parse(getAsset('manifest', 'utf8')) as Manifest
  return { ...manifest, content: () => brotliDecompressSync(getRawAsset('content') as ArrayBuffer) }
}
