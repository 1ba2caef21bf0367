import type { MakeCommand } from './command.js'

interface CommandEntry {
  readonly summary: string
  /** Loads only the command that runs. */
  readonly load: () => Promise<{ readonly command: MakeCommand }>
}

export const commands: Readonly<Record<string, CommandEntry>> = {
  start: { summary: 'serve the API (the default command)', load: () => import('./start.js') },
  exec: { summary: 'run a command against its own server, then check the gates', load: () => import('./exec.js') },
  mutate: { summary: 'find altered answers that a test suite does not notice', load: () => import('./mutate.js') },
  coverage: { summary: 'add up the coverage of several runs, and check it', load: () => import('./coverage.js') },
  validate: { summary: 'check config, fixtures and scenarios', load: () => import('./validate.js') },
  list: {
    summary: 'print operations, outcomes, scenarios, tokens, statements, interpretations or mutants',
    load: () => import('./list.js'),
  },
  seed: { summary: 'generate bulk fixtures', load: () => import('./seed.js') },
  openapi: { summary: 'print the OpenAPI document', load: () => import('./openapi.js') },
  verify: { summary: 'check a real deployment, statement by statement', load: () => import('./verify.js') },
  health: { summary: 'ask a server whether it is ready', load: () => import('./health.js') },
  init: { summary: 'write a starter config, scenario and fixtures file', load: () => import('./init.js') },
}
