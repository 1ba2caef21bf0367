import type { Command } from './command.js'

interface Entry {
  readonly usage: string
  readonly does: string
  /** The exit status of a wrong command line, where 1 says something else. */
  readonly misuse?: number
  /** False where the environment is not read. */
  readonly environment?: false
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
    environment: false,
    load: async () => (await import('./seed.js')).seed,
  },
  openapi: {
    usage: 'openapi',
    does: 'print the OpenAPI document (--version 3.0 for older tools, --yaml)',
    load: async () => (await import('./openapi.js')).openapi,
  },
  verify: {
    usage: 'verify --target URL',
    does: 'check a real deployment, statement by statement: --token, --allow-writes, --data, --only, --json, --record, --against, --strict',
    misuse: 2,
    load: async () => (await import('./verify.js')).verify,
  },
  learn: {
    usage: 'learn --target URL',
    does: 'find out how a real deployment reads what the document leaves open: --token, --allow-writes, --data, --out',
    misuse: 2,
    load: async () => (await import('./learn.js')).learn,
  },
  init: {
    usage: 'init',
    does: 'write a config, a scenario and a fixtures file to start from',
    environment: false,
    load: async () => (await import('./init.js')).init,
  },
}
