import asyncHooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

// tap follows every promise to the test that made it, to lay an error that nobody caught at its door: a fifth of a run.
// Without it such an error ends the subject.
asyncHooks.createHook = () => ({ enable() {}, disable() {} })
syncBuiltinESMExports()
