import { Command } from 'commander'
import type { CliCommand } from './command.js'
import { declare } from './flags.js'

/** Prints what bash and zsh need to complete a command line. */
export function completionOf(
  commands: Readonly<Record<string, { load(): Promise<{ command: CliCommand }> }>>,
): CliCommand {
  return {
    environment: false,
    about: 'Prints a script that completes commands and flags in bash and zsh.',
    sections: { Examples: 'source <(countersign completion)' },
    async run(_, io) {
      const names = Object.keys(commands).join(' ')
      const cases = Object.entries(commands).map(async ([name, { load }]) => {
        const described = new Command(name)
        declare(described, (await load()).command)
        const flags = described.options.filter(({ hidden }) => !hidden).map(({ long }) => long)
        return `    ${name}) words='${[...flags, '--help'].join(' ')}' ;;`
      })
      io.out(`[ -n "$ZSH_VERSION" ] && autoload -Uz bashcompinit && bashcompinit
_countersign() {
  local words=''
  case "\${COMP_WORDS[1]}" in
${(await Promise.all(cases)).join('\n')}
  esac
  [ "$COMP_CWORD" -eq 1 ] && words='${names} help --help --version'
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _countersign countersign`)
      return 0
    },
  }
}
