import type { CliCommand } from './command.js'

export interface Entry {
  /** What the command does, as `--help` lists it. */
  readonly does: string
  /** The exit status for a file or an option that cannot be used, if 1 means something else. */
  readonly misuse?: number
  /** False if the command does not read the environment. */
  readonly environment?: false
  /** Each command's code is loaded when it is run. */
  readonly load: () => Promise<CliCommand>
}

/** Every command, by its name. */
export const commands: Readonly<Record<string, Entry>> = {
  start: {
    does: 'serve the API (the default command)',
    load: async () => (await import('./start.js')).start,
  },
  exec: {
    does: 'run a command against its own server, then check the run against the gates',
    load: async () => (await import('./exec.js')).exec,
  },
  mutate: {
    does: 'run a test suite once for each of some mutants, and report what it does not notice',
    misuse: 2,
    load: async () => (await import('./mutate.js')).mutate,
  },
  coverage: {
    does: 'add up the coverage files of several runs, and check the total against the gates',
    load: async () => (await import('./coverage.js')).coverage,
  },
  validate: {
    does: 'check config, fixtures and scenarios, and report all complaints at once',
    load: async () => (await import('./validate.js')).validate,
  },
  list: {
    does: 'print operations, outcomes, scenarios, tokens, statements or interpretations',
    load: async () => (await import('./list.js')).list,
  },
  seed: {
    does: 'generate bulk fixtures',
    load: async () => (await import('./seed.js')).seed,
  },
  openapi: {
    does: 'print the OpenAPI document',
    load: async () => (await import('./openapi.js')).openapi,
  },
  verify: {
    does: 'check a real deployment, statement by statement',
    misuse: 2,
    load: async () => (await import('./verify.js')).verify,
  },
  health: {
    does: 'ask a server whether it is ready',
    load: async () => (await import('./health.js')).health,
  },
  init: {
    does: 'write a starter config, scenario and fixtures file',
    environment: false,
    load: async () => (await import('./init.js')).init,
  },
}
