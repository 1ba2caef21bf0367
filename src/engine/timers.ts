import timers from 'node:timers'
import promises from 'node:timers/promises'

/** Node's own, kept as the package is loaded: tests fake the global ones. The build puts these in their place. */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = timers
export const { setTimeout: sleep, setImmediate: nextTurn } = promises

export const queueMicrotask = (task: () => void): void => void Promise.resolve().then(task)

/** Jest gives a test another object, whose functions it may have faked before. */
const { nextTick } = process.getBuiltinModule?.('node:process') ?? process

export { nextTick as 'process.nextTick' }
