import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { CLI, folder, launch } from '../binary.js'

const skip = 'enableCompileCache' in module ? false : 'this Node keeps no compiled code'

t.test('Node keeps compiled code between starts, unless it is told not to', { skip }, async (t) => {
  for (const [what, env, isKept] of [
    ['by default', {}, true],
    ['NODE_DISABLE_COMPILE_CACHE', { NODE_DISABLE_COMPILE_CACHE: '1' }, false],
  ] as const) {
    const TMPDIR = folder(t)
    const { ended } = launch(t, process.execPath, [CLI, 'list', 'scenarios'], { env: { ...env, TMPDIR } })
    t.match(await ended, { code: 0, err: '' }, `${what}: the command succeeds`)
    t.equal(existsSync(join(TMPDIR, 'node-compile-cache')), isKept, `${what}: ${isKept ? 'kept' : 'not kept'}`)
  }
})
