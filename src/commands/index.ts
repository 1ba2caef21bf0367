import type { Command } from './command.js'

interface Entry {
  readonly usage: string
  readonly does: string
  /** Each command's code is loaded when it is run. */
  readonly load: () => Promise<Command>
}

/** Every command, by its name. */
export const commands: Readonly<Record<string, Entry>> = {
  start: {
    usage: 'start',
    does: 'serve the API (the default command)',
    load: async () => (await import('./start.js')).start,
  },
  validate: {
    usage: 'validate',
    does: 'check config, fixtures and scenarios; all complaints at once',
    load: async () => (await import('./validate.js')).validate,
  },
  list: {
    usage: 'list [WHAT]',
    does: 'print operations, outcomes, scenarios and tokens',
    load: async () => (await import('./list.js')).list,
  },
  explain: {
    usage: 'explain SCENARIO',
    does: 'say in plain words what a scenario will do',
    load: async () => (await import('./explain.js')).explain,
  },
  init: {
    usage: 'init',
    does: 'write a config, a scenario and a fixtures file to start from',
    load: async () => (await import('./init.js')).init,
  },
}
