import { parseArgs } from 'node:util'
import type { OptionName, Options } from '../../schemas/config.js'
import { InvalidOption, UnknownWord } from '../server/invalid-option.js'
import { decodeOption, flagOf, optionNames, optionTable } from '../server/options.js'
import { allowed, didYouMean, quote } from '../text/wording.js'
import type { FlagTable } from './flags/flag.js'

/** A parsed command line: options, and the other words. */
export interface CommandLine {
  readonly options: Partial<Options>
  readonly words: readonly string[]
  /** Everything after `--`, for a command that runs it; others take it as words. */
  readonly rest: readonly string[]
  /** The command's own flags. */
  readonly own: OwnFlags
  /** The values of those that may be given several times. */
  readonly lists: Readonly<Record<string, readonly string[]>>
}

/** Values of the flags that a command has of its own; true for a flag that takes no value. */
export type OwnFlags = Readonly<Record<string, string | true>>

type Token = NonNullable<ReturnType<typeof parse>['tokens']>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

const optionByFlag: ReadonlyMap<string, OptionName> = new Map(optionNames.map((name) => [flagOf(name), name]))
const isSwitch = (name: OptionName) => optionTable[name].type === 'boolean'

/** The commands that run what stands after `--`. */
const RUNS_ANOTHER: ReadonlySet<string> = new Set(['exec', 'mutate'])

/**
 * Reads the words after a command's name; `own` lists the flags that it has beside the options.
 * @throws {InvalidOption} for an unknown flag, or a value that does not fit
 */
export function readCommandLine(command: string, argv: readonly string[], own: FlagTable = {}): CommandLine {
  const end = RUNS_ANOTHER.has(command) ? argv.indexOf('--') : -1
  const [before, rest] = end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)]
  const options: Record<string, unknown> = {}
  const ownFlags: Record<string, string | true> = {}
  const lists: Record<string, string[]> = {}
  const words: string[] = []
  for (const token of parse(before, own).tokens ?? []) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const negated = token.name.startsWith('no-') ? optionByFlag.get(token.name.slice(3)) : undefined
    const option = optionByFlag.get(token.name)
    const flag = Object.hasOwn(own, token.name) ? own[token.name] : undefined
    if (negated !== undefined && isSwitch(negated)) options[negated] = !noValue(token)
    else if (option !== undefined) readOption(options, option, token)
    else if (flag === undefined) throw unknownFlag(command, before[token.index] as string, own)
    else if (flag.several) lists[token.name] = [...(lists[token.name] ?? []), requiredValue(token)]
    else ownFlags[token.name] = flag.value === undefined ? noValue(token) : requiredValue(token)
  }
  return { options, words, rest, own: ownFlags, lists }
}

/** Not strict, because Node's errors do not say what to do; the tokens contain all that ours need. */
function parse(args: readonly string[], own: FlagTable) {
  const takesValue = [
    ...optionNames.filter((name) => !isSwitch(name)).map(flagOf),
    ...Object.keys(own).filter((flag) => own[flag]?.value !== undefined),
  ]
  const options = Object.fromEntries(takesValue.map((flag) => [flag, { type: 'string' as const }]))
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
}

function readOption(options: Record<string, unknown>, name: OptionName, token: OptionToken): void {
  const flag = `--${flagOf(name)}`
  if (isSwitch(name)) options[name] = decodeOption(name, token.value ?? 'true', flag)
  else if (optionTable[name].type === 'array')
    options[name] = [...((options[name] as string[]) ?? []), namedValue(token)]
  else options[name] = decodeOption(name, requiredValue(token), flag)
}

function requiredValue({ name, value, inlineValue }: OptionToken): string {
  if (value !== undefined && (inlineValue || !value.startsWith('--'))) return value
  const option = optionByFlag.get(name)
  throw new InvalidOption(`--${name} needs a value${option === undefined ? '' : `: ${allowed(optionTable[option])}`}.`)
}

function namedValue(token: OptionToken): string {
  const value = requiredValue(token)
  if (value !== '') return value
  throw new InvalidOption(`--${token.name} needs a name.`)
}

function noValue({ name, inlineValue }: OptionToken): true {
  if (inlineValue !== true) return true
  throw new InvalidOption(`--${name} takes no value. To turn it off, leave it out.`)
}

function unknownFlag(command: string, word: string, own: FlagTable): UnknownWord {
  const [flag = ''] = word.split('=')
  const known = [...optionByFlag.keys(), ...Object.keys(own)]
  const hint = didYouMean(flag.replace(/^--?/, ''), known).replace(/'(.+)'/, "'--$1'")
  return new UnknownWord(`The flag ${quote(flag)} is unknown.${hint} 'countersign help ${command}' lists all flags.`)
}

/** @throws {InvalidOption} for words that a command has no use for */
export function refuseWords(command: string, words: readonly string[]): void {
  if (words.length > 0)
    throw new InvalidOption(`${quote(words[0])} is not expected here. See 'countersign help ${command}'.`)
}
