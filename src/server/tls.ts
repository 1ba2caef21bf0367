import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileErrorReason } from '../text/invalid-files.js'
import { requireFile } from '../text/source-file.js'
import { quote } from '../text/wording.js'
import { asWritten } from '../text/written-paths.js'
import type { Settings } from '../world/settings.js'
import { InvalidOption } from './invalid-option.js'

/** A certificate and its private key: PEM texts. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** One of the pair, as it was given: a PEM text, or a path and how the user wrote it. */
interface Given {
  readonly option: string
  readonly text: string
}

/**
 * The certificate and key that options name, or that a program gives as texts or paths.
 * @throws {InvalidOption} if one is missing, either cannot be read, or they are no pair
 */
export async function tlsPair(settings: Settings, given?: TlsPair): Promise<TlsPair> {
  const { tlsCert, tlsKey, sources, folder } = settings
  if (given !== undefined)
    return pairOf({ option: 'tls.cert', text: given.cert }, { option: 'tls.key', text: given.key }, settings)
  const [cert, key] = [sources.tlsCert ?? '--tls-cert', sources.tlsKey ?? '--tls-key']
  if (tlsKey === undefined)
    throw new InvalidOption(`${cert} needs ${key}. Name the file with the certificate's private key.`)
  if (tlsCert === undefined) throw new InvalidOption(`${key} needs ${cert}. Name the file with the key's certificate.`)
  return pairOf(
    { option: cert, text: resolve(folder, tlsCert) },
    { option: key, text: resolve(folder, tlsKey) },
    settings,
  )
}

async function pairOf(cert: Given, key: Given, settings: Settings): Promise<TlsPair> {
  const [certificate, privateKey] = [await pemOf(cert, settings), await pemOf(key, settings)]
  const parsed = parse((text) => new X509Certificate(text), certificate, 'a certificate', 'CERTIFICATE')
  const secret = parse((text) => createPrivateKey(text), privateKey, 'a private key', 'PRIVATE KEY')
  if (!parsed.checkPrivateKey(secret))
    throw new InvalidOption(`${privateKey.name} is not the private key of ${certificate.name}: they are no pair.`)
  return { cert: certificate.text, key: privateKey.text }
}

interface Pem {
  /** How a message names it. */
  readonly name: string
  readonly text: string
}

async function pemOf({ option, text }: Given, { folder, written }: Settings): Promise<Pem> {
  if (typeof text !== 'string')
    throw new InvalidOption(`${option} must be a PEM text, or the path of a PEM file, not ${quote(text)}.`)
  if (text.includes('-----BEGIN ')) return { name: option, text }
  const path = resolve(folder, text)
  const name = `${option} ${quote(asWritten(written, path))}`
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
