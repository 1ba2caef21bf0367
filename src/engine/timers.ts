import timers from 'node:timers'
import promises from 'node:timers/promises'

/** Real timers: tests may fake the global ones. The build replaces the globals by these. */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = timers
export const { setTimeout: sleep, setImmediate: nextTurn } = promises

export const queueMicrotask = (task: () => void): void => void Promise.resolve().then(task)

/** Jest replaces `process`, and may have faked the functions of its own object. */
const { nextTick } = process.getBuiltinModule?.('node:process') ?? process

export { nextTick as 'process.nextTick' }
