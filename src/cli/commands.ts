import type { Command } from './command.js'
import type { Manual } from './manual.js'

export interface Entry {
  readonly usage: string
  readonly does: string
  /** The exit status for a wrong command line, if 1 means something else. */
  readonly misuse?: number
  /** False if the command does not read the environment. */
  readonly environment?: false
  /** Each command's code is loaded when it is run. */
  readonly load: () => Promise<Command>
  /** The help text is loaded on demand. */
  readonly manual: () => Promise<Manual>
}

/** Every command, by its name. */
export const commands: Readonly<Record<string, Entry>> = {
  start: {
    usage: 'start',
    does: 'serve the API (the default command)',
    load: async () => (await import('./start.js')).start,
    manual: async () => (await import('./manuals/start.js')).manual,
  },
  exec: {
    usage: 'exec -- COMMAND …',
    does: 'run a command against its own server, then check the run against the gates',
    load: async () => (await import('./exec.js')).exec,
    manual: async () => (await import('./manuals/exec.js')).manual,
  },
  mutate: {
    usage: 'mutate -- COMMAND …',
    does: 'run a test suite once for each of some mutants, and report what it does not notice',
    misuse: 2,
    load: async () => (await import('./mutate.js')).mutate,
    manual: async () => (await import('./manuals/mutate.js')).manual,
  },
  coverage: {
    usage: 'coverage FILE…',
    does: 'add up the coverage files of several runs, and check the total against the gates',
    load: async () => (await import('./coverage.js')).coverage,
    manual: async () => (await import('./manuals/coverage.js')).manual,
  },
  validate: {
    usage: 'validate',
    does: 'check config, fixtures and scenarios, and report all complaints at once',
    load: async () => (await import('./validate.js')).validate,
    manual: async () => (await import('./manuals/validate.js')).manual,
  },
  list: {
    usage: 'list [LIST…]',
    does: 'print operations, outcomes, scenarios, tokens, statements or interpretations',
    load: async () => (await import('./list.js')).list,
    manual: async () => (await import('./manuals/list.js')).manual,
  },
  seed: {
    usage: 'seed --out FOLDER',
    does: 'generate bulk fixtures',
    load: async () => (await import('./seed.js')).seed,
    manual: async () => (await import('./manuals/seed.js')).manual,
  },
  openapi: {
    usage: 'openapi',
    does: 'print the OpenAPI document',
    load: async () => (await import('./openapi.js')).openapi,
    manual: async () => (await import('./manuals/openapi.js')).manual,
  },
  verify: {
    usage: 'verify --target URL',
    does: 'check a real deployment, statement by statement',
    misuse: 2,
    load: async () => (await import('./verify.js')).verify,
    manual: async () => (await import('./manuals/verify.js')).manual,
  },
  health: {
    usage: 'health [URL]',
    does: 'ask a server whether it is ready',
    load: async () => (await import('./health.js')).health,
    manual: async () => (await import('./manuals/health.js')).manual,
  },
  init: {
    usage: 'init',
    does: 'write a starter config, scenario and fixtures file',
    environment: false,
    load: async () => (await import('./init.js')).init,
    manual: async () => (await import('./manuals/init.js')).manual,
  },
}
