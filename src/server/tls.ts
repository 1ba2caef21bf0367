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

/** `given`: PEM texts or paths. @throws {InvalidFiles} for an unreadable file @throws {InvalidOption} for no pair */
export async function tlsPair({ tlsCert, tlsKey, folder }: Settings, given?: TlsPair): Promise<TlsPair> {
  const { cert, key } = given ?? { cert: tlsCert, key: tlsKey }
  const names = given ? ['tls.cert', 'tls.key'] : ['--tls-cert', '--tls-key']
  if (cert === undefined || key === undefined) {
    const needs = cert === undefined ? `${names[1]} needs ${names[0]}` : `${names[0]} needs ${names[1]}`
    throw new InvalidOption(`${needs}. Name the files of a certificate and of its private key.`)
  }
  const pair = { cert: await pemOf(cert, folder), key: await pemOf(key, folder) }
  try {
    createSecureContext(pair)
    return pair
  } catch (error) {
    const both = [cert, key]
      .map((one) => (isPem(one) ? 'the PEM text' : quote(relativePath(folder, one))))
      .join(' and ')
    throw new InvalidOption(
      `${both} are not a certificate and its private key in PEM, without a passphrase: ${(error as Error).message}.`,
    )
  }
}

const isPem = (text: string) => text.includes('-----BEGIN ')

const pemOf = async (text: string, folder: string) => (isPem(text) ? text : readText(resolve(folder, text)))
