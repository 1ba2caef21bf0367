import { once } from 'node:events'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { onOneLine, quote } from '../engine/contract/wording.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import type { Settings } from './settings.js'

/** @throws {PortInUse} @throws {InvalidOption} for an unusable host or port */
export async function listenAt(app: Pick<FastifyInstance, 'listen'>, host: string, port: number): Promise<void> {
  try {
    await app.listen({ port, host })
  } catch (error) {
    const { code, syscall, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new PortInUse(port, host, await findFreePort(host, port))
    if (syscall === undefined) throw error
    throw new InvalidOption(
      `The server cannot listen on ${quote(host)}, port ${port}: ${onOneLine(message)}. Use the host 127.0.0.1, or 0.0.0.0 for all addresses, and a port above 1023, or 0 for any free one.`,
    )
  }
}

export class PortInUse extends InvalidOption {
  override readonly name = 'PortInUse'
  readonly code = 'EADDRINUSE'

  constructor(
    readonly port: number,
    readonly host: string,
    /** Undefined if the next 100 ports are in use, too. */
    readonly free: number | undefined,
  ) {
    const next = free === undefined ? '' : `; ${free} is free`
    const remedy = `use ${free === undefined ? '' : `--port ${free}, or `}--port 0 for any free one`
    super(`Port ${port} on ${host} is already in use${next}: ${remedy}.`)
  }
}

async function findFreePort(host: string, after: number): Promise<number | undefined> {
  for (let port = after + 1; port <= Math.min(after + 100, 65_535); port++) {
    const server = createServer().listen({ host, port, exclusive: true })
    const listening = await once(server, 'listening').catch(() => undefined)
    server.close()
    if (listening !== undefined) return port
  }
  return undefined
}

/** The base URL for clients on this machine. */
export function localUrl({ host, port, tlsCert }: Pick<Settings, 'host' | 'port' | 'tlsCert'>): string {
  const scheme = tlsCert === undefined ? 'http' : 'https'
  if (host === '0.0.0.0' || host === '::') return `${scheme}://127.0.0.1:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
