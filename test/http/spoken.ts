import { connect } from 'node:net'
import { CRLF } from './forms.js'

/** The head of a message, from its lines. */
export const head = (lines: readonly string[]) => `${lines.join(CRLF)}${CRLF}${CRLF}`

/** Sends bytes, and resolves with all that comes back until the connection ends or nothing comes any more. */
export function talk(port: number, sent: string | Uint8Array, quiet = 150): Promise<{ bytes: Buffer; ended: string }> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const chunks: Buffer[] = []
    let timer: NodeJS.Timeout | undefined
    const finish = (ended: string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ bytes: Buffer.concat(chunks), ended })
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      clearTimeout(timer)
      timer = setTimeout(() => finish('quiet'), quiet)
    })
    socket.on('end', () => finish('end'))
    socket.on('error', (error: NodeJS.ErrnoException) => finish(error.code ?? 'error'))
    socket.write(sent)
  })
}

/** Sends bytes, and resolves with all that has come back once the connection has closed, and with what broke it. */
export function untilClosed(port: number, sent: string | Uint8Array, { end = false } = {}) {
  return new Promise<{ readonly text: string; readonly error: string | undefined }>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    let error: string | undefined
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => (error = code ?? message))
    socket.on('close', () => resolve({ text, error }))
    socket.setTimeout(10_000, () => socket.destroy(new Error('it hangs')))
    if (end) socket.end(sent)
    else socket.write(sent)
  })
}
