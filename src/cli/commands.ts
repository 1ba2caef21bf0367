import type { MakeCommand } from './command.js'

interface Entry {
  readonly does: string
  /** Loads only the command that runs. */
  readonly load: () => Promise<{ readonly command: MakeCommand }>
}

export const commands: Readonly<Record<string, Entry>> = {
  start: { does: 'serve the API (the default command)', load: () => import('./start.js') },
  exec: {
    does: 'run a command against its own server, then check the run against the gates',
    load: () => import('./exec.js'),
  },
  mutate: {
    does: 'run a test suite against altered answers, and report those it does not notice',
    load: () => import('./mutate.js'),
  },
  coverage: {
    does: 'add up the coverage files of several runs, and check the total against the gates',
    load: () => import('./coverage.js'),
  },
  validate: {
    does: 'check config, fixtures and scenarios, and report all complaints at once',
    load: () => import('./validate.js'),
  },
  list: {
    does: 'print operations, outcomes, scenarios, tokens, statements, interpretations or mutants',
    load: () => import('./list.js'),
  },
  seed: { does: 'generate bulk fixtures', load: () => import('./seed.js') },
  openapi: { does: 'print the OpenAPI document', load: () => import('./openapi.js') },
  verify: { does: 'check a real deployment, statement by statement', load: () => import('./verify.js') },
  health: { does: 'ask a server whether it is ready', load: () => import('./health.js') },
  init: { does: 'write a starter config, scenario and fixtures file', load: () => import('./init.js') },
}
