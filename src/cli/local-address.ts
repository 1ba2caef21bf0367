import type { Settings } from '../world/settings.js'

/** Where a client on this machine reaches the server of these settings. */
export function localAddress({ host, port, tlsCert }: Pick<Settings, 'host' | 'port' | 'tlsCert'>): string {
  const anywhere = host === '0.0.0.0' || host === '::'
  const named = anywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host
  return `${tlsCert === undefined ? 'http' : 'https'}://${named}:${port}`
}
