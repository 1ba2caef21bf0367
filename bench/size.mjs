import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))

/** The files of the bundle, the largest first. */
export function size() {
  return readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map((name) => ({ file: name.replace(/-[A-Z0-9]{8}\./, '.'), KB: Math.round(statSync(dist + name).size / 1024) }))
    .sort((a, b) => b.KB - a.KB)
    .slice(0, 10)
}
