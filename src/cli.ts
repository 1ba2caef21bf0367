#!/usr/bin/env node
import { enableCompileCache } from './cli/compile-cache.js'

/** The oldest supported Node, as in package.json. */
const OLDEST = [20, 19] as const

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  console.error(`countersign needs Node ${OLDEST.join('.')} or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
enableCompileCache()
void Promise.all([import('./cli/main.js'), import('./api/index.js')]).then(([{ main }, { api }]) => main(api))
