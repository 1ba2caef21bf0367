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
  exec: {
    usage: 'exec -- COMMAND …',
    does: 'run a command against a server of its own, then check what it did against the gates',
    load: async () => (await import('./exec.js')).exec,
  },
  coverage: {
    usage: 'coverage FILE…',
    does: 'add up the coverage files of several runs, and check the sum against the gates',
    load: async () => (await import('./coverage.js')).coverage,
  },
  validate: {
    usage: 'validate',
    does: 'check config, fixtures and scenarios; all complaints at once',
    load: async () => (await import('./validate.js')).validate,
  },
  list: {
    usage: 'list [WHAT]',
    does: 'print operations, outcomes, scenarios and tokens, or the one named; statements and interpretations by name (--json as data)',
    load: async () => (await import('./list.js')).list,
  },
  explain: {
    usage: 'explain SCENARIO',
    does: 'say in plain words what a scenario will do',
    load: async () => (await import('./explain.js')).explain,
  },
  seed: {
    usage: 'seed --out FOLDER',
    does: 'generate bulk fixtures: --credits, --attachments, --members, --sub-members, --documents N, dated --until DATE (today)',
    load: async () => (await import('./seed.js')).seed,
  },
  openapi: {
    usage: 'openapi',
    does: 'print the OpenAPI document (--version 3.0 for older tools, --yaml)',
    load: async () => (await import('./openapi.js')).openapi,
  },
  verify: {
    usage: 'verify --target URL',
    does: 'check a real deployment against the contracts: --token, --only, --allow-writes, --data, --junit, --strict',
    load: async () => (await import('./verify.js')).verify,
  },
  init: {
    usage: 'init',
    does: 'write a config, a scenario and a fixtures file to start from',
    load: async () => (await import('./init.js')).init,
  },
}
