import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { Test } from 'tap'

/** Puts calls of a test's own in the place of Node's, until the test ends. */
export function replaceFs(t: Test, calls: Partial<typeof fs>): void {
  const names = Object.keys(calls) as (keyof typeof fs)[]
  const before = Object.fromEntries(names.map((name) => [name, fs[name]]))
  Object.assign(fs, calls)
  syncBuiltinESMExports()
  t.teardown(() => {
    Object.assign(fs, before)
    syncBuiltinESMExports()
  })
}
