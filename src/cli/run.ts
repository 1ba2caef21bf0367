import { Command, CommanderError } from 'commander'
import type { Api } from '../engine/api.js'
import { didYouMean, onOneLine, quote } from '../engine/contract/wording.js'
import { InvalidFiles } from '../engine/files/invalid-files.js'
import { InvalidOption } from '../engine/files/invalid-option.js'
import { packageVersion } from '../package-root.js'
import { describeComplaints } from '../server/describe-complaints.js'
import { checkEnvironment, optionNames } from '../server/options.js'
import { type CliCommand, dashesAdvice, type Io, WrongUse } from './command.js'
import { commands } from './commands.js'
import { configureCommand, optionFlags } from './flags.js'
import { annotate } from './publish-report.js'
import { findingOf } from './report-formats/annotation.js'

const WIDTH = 118
const MAX_MESSAGE = 500

export async function run(api: Api, argv: readonly string[], io: Io): Promise<number> {
  const [name = '', ...args] = expandShortcuts(argv)
  const command = Object.hasOwn(commands, name) ? await (await commands[name]!.load()).command(api) : undefined
  try {
    return await runCommand(api, name, args, command, io)
  } catch (error) {
    const text = describeError(error as Error, io.folder)
    const finding = { basis: 'countersign', message: text.split('\n')[0] ?? '' }
    io.err(`countersign: ${text}`)
    annotate(error instanceof InvalidFiles ? error.complaints.map(findingOf) : [finding], io.err, io)
    if (error instanceof WrongUse) return 2
    return error instanceof InvalidOption || error instanceof InvalidFiles ? (command?.invalidInputStatus ?? 1) : 1
  }
}

/** Only bugs need a stack. */
function describeError(error: Error, folder: string): string {
  if (error instanceof InvalidFiles) return describeComplaints(error.complaints, folder)
  return error instanceof InvalidOption ? error.message : (error.stack ?? error.message)
}

const HELP = ['help', '--help', '-h']
const VERSION = ['version', '--version', '-V', '-v']

function expandShortcuts([first = 'start', ...others]: readonly string[]): readonly string[] {
  const topic = first === 'help' ? others.find((word) => ![...HELP, ...VERSION].includes(word)) : undefined
  if (topic !== undefined) return [topic, '--help']
  if (HELP.includes(first)) return ['--help']
  if (VERSION.includes(first)) return ['--version']
  return first.startsWith('-') ? ['start', first, ...others] : [first, ...others]
}

async function runCommand(api: Api, name: string, args: readonly string[], command: CliCommand | undefined, io: Io) {
  if (command === undefined && !name.startsWith('--')) {
    const hint = didYouMean(name, [...Object.keys(commands), 'help', 'version'])
    throw new WrongUse(`There is no command ${quote(name)}.${hint} 'npx countersign --help' lists all commands.`)
  }
  const program = createProgram(api, io)
  const subcommand = program.commands.find((one) => one.name() === name)
  if (subcommand && command) configureCommand(subcommand, command)
  const dashesAt = command?.runsChild && args.includes('--') ? args.indexOf('--') : args.length
  const advice = command?.runsChild && dashesAt === args.length ? ` ${dashesAdvice(name)}` : ''
  const input = parse(program, subcommand ?? program, [name, ...args.slice(0, dashesAt)], advice)
  if (command === undefined || input === undefined) return 0
  const { errors, warnings } = checkEnvironment(io.environment, Object.keys(command.flags ?? {}))
  if (errors.length > 0) throw new InvalidOption(errors.join('\n'))
  for (const warning of warnings) io.err(`countersign: ${warning}`)
  try {
    return await command.run({ ...input, rest: args.slice(dashesAt + 1) }, io)
  } catch (error) {
    if (!command.startsServer || !(error instanceof InvalidFiles)) throw error
    throw await (await import('./validate.js')).withAllComplaints(api, error, input.options, io)
  }
}

function createProgram({ name: service }: Api, { out }: Io): Command {
  const program = new Command('npx countersign')
    .usage('[COMMAND] [options]')
    .description(`A local server that stands in for the ${service}.`)
    .version(packageVersion(), '-V, --version', 'print the version')
    .helpCommand('help [COMMAND]', 'show help for a command')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), outputError: () => {}, getOutHelpWidth: () => WIDTH })
  for (const [name, { summary }] of Object.entries(commands))
    program.command(name).summary(summary).description(summary)
  for (const option of optionFlags(optionNames)) program.addOption(option)
  return program
}

/** Undefined if help or the version was printed. @throws {WrongUse} if the command line is invalid */
function parse(program: Command, command: Command, argv: readonly string[], advice: string) {
  try {
    command.action(() => {})
    program.parse(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return undefined
      throw new WrongUse(`${describeMistake(error, command)}${advice}`)
    }
    throw error instanceof InvalidOption ? new WrongUse(error.message) : error
  }
  const values = Object.entries(command.opts())
  const isOption = ([key]: [string, unknown]) => (optionNames as readonly string[]).includes(key)
  return {
    options: Object.fromEntries(values.filter(isOption)),
    flags: Object.fromEntries(values.filter((entry) => !isOption(entry))),
    operands: command.args,
  }
}

/** Never quotes the value of an unknown flag, which may be a secret. */
function describeMistake({ code, message }: CommanderError, command: Command): string {
  const help = `'npx countersign help ${command.name()}'`
  if (code !== 'commander.unknownOption') {
    const sentence = onOneLine(message, MAX_MESSAGE)
      .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
      .replace(/\.?$/, '.')
    return `${sentence} See ${help}.`
  }
  const [, flag = ''] = /'([^'=]+)/.exec(message) ?? []
  const flagNames = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long?.slice(2) ?? '')
  const name = flag.replace(/^--?/, '')
  if (flagNames.includes(name)) return `${flag} takes no value. To turn it off, remove it.`
  const hint = didYouMean(name, flagNames).replace(/'(.+)'/, "'--$1'")
  return `The flag ${quote(flag)} is unknown.${hint} ${help} lists all flags.`
}
