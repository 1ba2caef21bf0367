import { Command } from 'commander'
import type { CliCommand } from './command.js'
import { configureCommand } from './flags.js'

interface Entry {
  /** The line in `--help`. */
  readonly does: string
  /** Each command's code is loaded when it is run. */
  readonly load: () => Promise<{ readonly command: CliCommand }>
}

/** Prints what bash and zsh need to complete a command line. */
const completion: CliCommand = {
  environment: false,
  about: 'Prints a script that completes commands and flags in bash and zsh.',
  sections: { Examples: 'source <(countersign completion)' },
  async run(_, io) {
    const cases = Object.entries(commands).map(async ([name, { load }]) => {
      const described = configureCommand(new Command(name), (await load()).command)
      const flags = described.options.filter(({ hidden }) => !hidden).map(({ long }) => long)
      return `    ${name}) words='${[...flags, '--help'].join(' ')}' ;;`
    })
    io.out(`[ -n "$ZSH_VERSION" ] && autoload -Uz bashcompinit && bashcompinit
_countersign() {
  local words=''
  case "\${COMP_WORDS[1]}" in
${(await Promise.all(cases)).join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words='${Object.keys(commands).join(' ')} help --help --version'
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _countersign countersign`)
    return 0
  },
}

/** Every command, by its name. */
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
  completion: {
    does: 'print a script that completes commands and flags in bash and zsh',
    load: async () => ({ command: completion }),
  },
}
