import { Command, CommanderError } from 'commander'
import { version } from '../package-root.js'
import { complaintsInWords } from '../server/complaints-in-words.js'
import { InvalidOption } from '../server/invalid-option.js'
import { optionNames } from '../server/options.js'
import { unknownVariables } from '../server/unknown-variables.js'
import { type Annotation, annotationOf } from '../text/annotation.js'
import { InvalidFiles, UnusableFiles } from '../text/invalid-files.js'
import { didYouMean, quote } from '../text/wording.js'
import { annotate } from './annotate.js'
import { type Given, type Io, WrongUse } from './command.js'
import { commands } from './commands.js'
import { declare, optionFlags } from './flags.js'

/** Columns of the help. */
const WIDTH = 118

/** Runs a command line to its end; resolves with the exit status. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [name = '', ...words] = normalize(argv)
  try {
    return await runCommand(name, words, io)
  } catch (error) {
    const inFull = error instanceof UnusableFiles ? await inWords(error, io) : error
    const message = describeError(inFull)
    io.err(`countersign: ${message}`)
    annotate(annotationsOf(inFull, message), io.err, io)
    if (inFull instanceof WrongUse) return 2
    const { misuse = 1 } = (await commands[name]?.load())?.command ?? {}
    return isMisuse(inFull) ? misuse : 1
  }
}

const HELP = ['help', '--help', '-h']
const VERSION = ['version', '--version', '-V', '-v']

/** A command's name, or an option of the program, and what follows it. */
function normalize([first = 'start', ...others]: readonly string[]): readonly string[] {
  const topic = first === 'help' ? others.find((word) => !HELP.includes(word) && !VERSION.includes(word)) : undefined
  if (topic !== undefined) return [topic, '--help']
  if (HELP.includes(first)) return ['--help']
  if (VERSION.includes(first)) return ['--version']
  return first.startsWith('-') ? ['start', first, ...others] : [first, ...others]
}

async function runCommand(name: string, words: readonly string[], io: Io): Promise<number> {
  const program = describeProgram(io)
  const described = program.commands.find((one) => one.name() === name)
  if (described === undefined && !name.startsWith('--')) throw unknownCommand(name)
  const { command } = (described && (await commands[name]?.load())) ?? {}
  if (described && command) declare(described, command)
  // Words after -- belong to the program that is run, a --help among them too.
  const end = command?.runsAnother && words.includes('--') ? words.indexOf('--') : words.length
  const given = parse(program, [name, ...words.slice(0, end)])
  if (command === undefined || given === undefined) return 0
  if (command.environment !== false) checkEnvironment(io)
  return command.run({ ...given, rest: words.slice(end + 1) }, io)
}

/** The program, with the names of its commands. */
function describeProgram({ out }: Io): Command {
  const program = new Command('countersign')
    .usage('[COMMAND] [options]')
    .description('A local server that stands in for the Enterprise Document Signing and Protection API.')
    .version(version(), '-V, --version', 'print the version')
    .helpCommand('help [COMMAND]', 'tell of a command, its flags and options, with examples')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), outputError: () => {}, getOutHelpWidth: () => WIDTH })
  for (const [name, { does }] of Object.entries(commands)) program.command(name).summary(does).description(does)
  // The overview tells the options of the default command.
  const { visibleOptions } = program.createHelp()
  const start = optionFlags(optionNames).filter(({ hidden }) => !hidden)
  return program.configureHelp({
    visibleOptions: (command) => (command === program ? start : visibleOptions.call(program.createHelp(), command)),
  })
}

/**
 * What a command line gives; undefined where it asks for help or the version, which are printed.
 * @throws {WrongUse} for what it cannot mean
 */
function parse(program: Command, argv: readonly string[]): Omit<Given, 'rest'> | undefined {
  const [name = ''] = argv
  const command = program.commands.find((one) => one.name() === name) ?? program
  try {
    command.action(() => {})
    program.parse([...argv], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return undefined
      throw new WrongUse(inOurWords(error, command))
    }
    throw error instanceof InvalidOption ? new WrongUse(error.message) : error
  }
  const given = Object.entries(command.opts())
  const isOption = ([key]: [string, unknown]) => (optionNames as readonly string[]).includes(key)
  return {
    options: Object.fromEntries(given.filter(isOption)),
    flags: Object.fromEntries(given.filter((one) => !isOption(one))),
    words: command.args,
  }
}

/** A value that is written with an unknown flag is left out: it may be a secret. */
function inOurWords({ code, message }: CommanderError, command: Command): string {
  const help = `'countersign help ${command.name()}'`
  if (code !== 'commander.unknownOption') {
    const sentence = message.replace(/^error: (.)/, (_, first: string) => first.toUpperCase()).replace(/\.?$/, '.')
    return `${sentence} See ${help}.`
  }
  const [, flag = ''] = /'([^'=]+)/.exec(message) ?? []
  const known = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long?.slice(2) ?? '')
  const name = flag.replace(/^--?/, '')
  if (known.includes(name)) return `${flag} takes no value. To turn it off, leave it out.`
  const hint = didYouMean(name, known).replace(/'(.+)'/, "'--$1'")
  return `The flag ${quote(flag)} is unknown.${hint} ${help} lists all flags.`
}

function unknownCommand(name: string): WrongUse {
  const hint = didYouMean(name, [...Object.keys(commands), 'help', 'version'])
  return new WrongUse(`There is no command ${quote(name)}.${hint} 'countersign --help' lists all commands.`)
}

/**
 * Warns of variables that look like ours and are not.
 * @throws {InvalidOption} for those that are surely mistaken
 */
function checkEnvironment({ environment, err }: Io): void {
  const { mistaken, strange } = unknownVariables(environment)
  if (mistaken.length > 0) throw new InvalidOption(mistaken.join('\n'))
  for (const one of strange) err(`countersign: ${one}`)
}

/** The error, with files named as the user named them. */
async function inWords({ complaints }: UnusableFiles, { names }: Io): Promise<InvalidFiles> {
  return new InvalidFiles(await complaintsInWords(complaints, names))
}

/** A complaint about a file shows there; of a stack, its first line says what is wrong. */
function annotationsOf(error: unknown, message: string): Annotation[] {
  if (error instanceof InvalidFiles) return error.complaints.map(annotationOf)
  return [{ level: 'error', title: 'countersign', message: message.split('\n', 1).join() }]
}

/** Whether the user can fix the error: in the command line, or in a file that it names. */
function isMisuse(error: unknown): error is InvalidOption | InvalidFiles {
  return error instanceof InvalidOption || error instanceof InvalidFiles
}

/** What went wrong, and what to do; only a bug of ours shows its stack. */
function describeError(error: unknown): string {
  const { message, stack } = error as Error
  return isMisuse(error) ? message : (stack ?? message)
}
