import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileErrorReason } from '../text/invalid-files.js'
import { requireFile } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import type { Settings } from '../world/settings.js'
import { nameFrom } from './complaints.js'
import { InvalidOption } from './invalid-option.js'

/** A certificate and its private key: PEM texts. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/**
 * The certificate and key that options name, or that a program gives as texts or paths.
 * @throws {InvalidOption} if one is missing, either cannot be read, or they are no pair
 */
export async function tlsPair({ tlsCert, tlsKey, sources, folder }: Settings, given?: TlsPair): Promise<TlsPair> {
  const names = given
    ? { cert: 'tls.cert', key: 'tls.key' }
    : { cert: sources.tlsCert ?? '--tls-cert', key: sources.tlsKey ?? '--tls-key' }
  const { cert, key } = given ?? { cert: tlsCert, key: tlsKey }
  if (!given && key === undefined)
    throw new InvalidOption(`${names.cert} needs ${names.key}. Name the file with the certificate's private key.`)
  if (!given && cert === undefined)
    throw new InvalidOption(`${names.key} needs ${names.cert}. Name the file with the key's certificate.`)
  const [certificate, privateKey] = [await pemOf(names.cert, cert, folder), await pemOf(names.key, key, folder)]
  const parsed = parse((text) => new X509Certificate(text), certificate, 'a certificate', 'CERTIFICATE')
  const secret = parse((text) => createPrivateKey(text), privateKey, 'a private key', 'PRIVATE KEY')
  if (!parsed.checkPrivateKey(secret))
    throw new InvalidOption(`${privateKey.name} is not the private key of ${certificate.name}: they are no pair.`)
  return { cert: certificate.text, key: privateKey.text }
}

/** A text in PEM, and how a message names it. */
type Pem = Readonly<Record<'name' | 'text', string>>

async function pemOf(option: string, text: string | undefined, folder: string): Promise<Pem> {
  if (typeof text !== 'string')
    throw new InvalidOption(`${option} must be a PEM text, or the path of a PEM file, not ${quote(text)}.`)
  if (text.includes('-----BEGIN ')) return { name: option, text }
  const path = resolve(folder, text)
  const name = `${option} ${quote(nameFrom(folder, path))}`
  try {
    await requireFile(path)
    return { name, text: String(await readFile(path)) }
  } catch (error) {
    throw new InvalidOption(`${name} cannot be read: ${fileErrorReason(error)}.`)
  }
}

function parse<T>(read: (text: string) => T, { name, text }: Pem, what: string, label: string): T {
  try {
    return read(text)
  } catch {
    const reason = text.includes('ENCRYPTED') ? ' without a passphrase' : ''
    throw new InvalidOption(
      `${name} is not ${what}${reason}. Write it as PEM, beginning with '-----BEGIN ${label}-----'.`,
    )
  }
}
