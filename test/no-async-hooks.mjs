// tap follows every promise, to tell which test an error that nobody caught belongs to: a fifth of all time. Without it
// such an error ends the process in which it runs, which fails.
import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'

const none = { enable: () => none, disable: () => none }
hooks.createHook = () => none
syncBuiltinESMExports()
