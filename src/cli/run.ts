import { version } from '../package-root.js'
import { complaintsInWords } from '../server/complaints-in-words.js'
import { InvalidOption, UnknownWord } from '../server/invalid-option.js'
import { type Annotation, annotationOf } from '../text/annotation.js'
import { InvalidFiles, UnusableFiles } from '../text/invalid-files.js'
import { didYouMean, quote } from '../text/wording.js'
import { annotate } from './annotate.js'
import { checkEnvironment } from './check-environment.js'
import type { Io } from './command.js'
import { refuseWords } from './command-line.js'
import { commands, type Entry } from './commands.js'

/** What asks for the version; `openapi --version` is another. */
const VERSION = ['--version', '-V', '-v', 'version']
/** Words that are not commands but can be used like one. */
const OTHERS = ['help', 'version']

/** Runs a command line to its end; resolves with the exit status. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const [first = 'start'] = argv
  try {
    const topic = topicOf(argv)
    if (topic !== undefined) return await printHelp(topic, io)
    if (VERSION.includes(first)) {
      refuseWords('version', argv.slice(1))
      io.out(version())
      return 0
    }
    const named = !first.startsWith('-')
    const { environment, load } = commandOf(named ? first : 'start')
    const command = await load()
    if (environment !== false) checkEnvironment(io)
    return await command(named ? argv.slice(1) : argv, io)
  } catch (error) {
    const inFull = await inWords(error, io)
    const message = describeError(inFull)
    io.err(`countersign: ${message}`)
    annotate(annotationsOf(inFull, message), io.err, io)
    if (inFull instanceof UnknownWord) return 2
    return isMisuse(inFull) ? (commands[first]?.misuse ?? 1) : 1
  }
}

/** The requested help topic: a command's name, or `help` for the overview; undefined if none. */
function topicOf(argv: readonly string[]): string | undefined {
  const [first = '', ...others] = argv
  const asked = asksForHelp(argv)
  if (first !== 'help') return asked ? (first.startsWith('-') ? 'help' : first) : undefined
  const [topic = 'help', ...more] = others.filter((word) => !HELP.includes(word))
  refuseWords('help', more)
  return topic
}

const HELP: readonly string[] = ['--help', '-h']

/** Words after `--` belong to another program, a `--help` among them too. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end < 0 ? undefined : end).some((word) => HELP.includes(word))
}

async function printHelp(topic: string, io: Io): Promise<number> {
  const { helpOf, overview } = await import('./help.js')
  if (OTHERS.includes(topic)) io.out(overview())
  else {
    commandOf(topic)
    io.out(await helpOf(topic))
  }
  return 0
}

function commandOf(name: string): Entry {
  if (Object.hasOwn(commands, name)) return commands[name]!
  const hint = didYouMean(name, [...Object.keys(commands), ...OTHERS])
  throw new UnknownWord(`There is no command ${quote(name)}.${hint} 'countersign --help' lists all commands.`)
}

/** The error, with files named as the user named them. */
async function inWords(error: unknown, { names }: Io): Promise<unknown> {
  return error instanceof UnusableFiles ? new InvalidFiles(await complaintsInWords(error.complaints, names)) : error
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
  if (isMisuse(error)) return error.message
  const { message, stack } = error as Error
  return stack ?? message
}
