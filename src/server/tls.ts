import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import { quote } from '../engine/contract/wording.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { readText } from '../engine/files/source-file.js'
import { relativePath } from './describe-complaints.js'
import type { Settings } from './settings.js'

export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** `tls`: PEM texts or paths. @throws {InvalidFiles} for an unreadable file @throws {InvalidOption} for an unusable pair */
export async function readTlsPair({ tlsCert, tlsKey, folder }: Settings, tls?: TlsPair): Promise<TlsPair> {
  const { cert, key } = tls ?? { cert: tlsCert, key: tlsKey }
  const names = tls ? ['tls.cert', 'tls.key'] : ['--tls-cert', '--tls-key']
  if (cert === undefined || key === undefined) {
    const needs = cert === undefined ? `${names[1]} needs ${names[0]}` : `${names[0]} needs ${names[1]}`
    throw new InvalidOption(`${needs}. Pass the files of a certificate and of its private key.`)
  }
  const pair = { cert: await readPem(cert, folder), key: await readPem(key, folder) }
  try {
    // Node ignores an empty string, but rejects an empty buffer.
    createSecureContext({ cert: Buffer.from(pair.cert), key: Buffer.from(pair.key) })
    return pair
  } catch (error) {
    const both = [cert, key]
      .map((text, at) => (isPem(text) ? names[at] : quote(relativePath(folder, text))))
      .join(' and ')
    throw new InvalidOption(
      `${both} are not a PEM certificate and its private key without a passphrase: ${(error as Error).message}.`,
    )
  }
}

const isPem = (text: string) => text.includes('-----BEGIN ')

const readPem = async (text: string, folder: string) => (isPem(text) ? text : readText(resolve(folder, text)))
