// To find the test of an uncaught error, tap follows every promise, which takes a fifth of the run time. Without these
// hooks, an uncaught error ends its process, and the run fails.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const noHook = { enable: () => noHook, disable: () => noHook }
hooks.createHook = () => noHook
syncBuiltinESMExports()
