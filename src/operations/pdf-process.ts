import { getDocumentProxy } from 'unpdf'
import type { Pdf } from './pdf-kind.js'

/**
 * A process of its own, which reads one PDF after the other: whatever one of them does to it, the server answers on. A
 * thread would not do: on some versions of Node, one that uses up its heap ends the whole process.
 */
process.on('message', async (bytes: Uint8Array) => {
  // The reader takes no Buffer, which is what arrives.
  process.send?.(await read(Uint8Array.from(bytes)))
})

/** Bytes of the largest piece of memory that reading a PDF may ask for; streams are unpacked into one piece each. */
const LARGEST_PIECE = 64 * 1024 * 1024

/** The memory of typed arrays is not part of the heap that a process can be limited to. */
globalThis.Uint8Array = new Proxy(Uint8Array, {
  construct(target, [size, ...rest], newTarget) {
    if (typeof size === 'number' && size > LARGEST_PIECE) throw new RangeError('The PDF unpacks to too much.')
    return Reflect.construct(target, [size, ...rest], newTarget)
  },
})

process.send?.('ready')

async function read(bytes: Uint8Array<ArrayBuffer>): Promise<Pdf> {
  try {
    const pdf = await getDocumentProxy(bytes, { verbosity: 0, stopAtErrors: true })
    const { info } = await pdf.getMetadata()
    await pdf.destroy()
    if ((info as { EncryptFilterName?: unknown }).EncryptFilterName) return { kind: 'encrypted' }
    return { kind: 'readable', documentCode: documentCodeOf(info) }
  } catch (error) {
    return { kind: (error as Error).name === 'PasswordException' ? 'encrypted' : 'damaged' }
  }
}

function documentCodeOf(info: object): string | undefined {
  const custom = (info as { Custom?: Record<string, unknown> }).Custom
  return typeof custom?.DocumentCode === 'string' ? custom.DocumentCode : undefined
}
