import { type Command, Option } from 'commander'
import { didYouMean, quote, withoutCredentials } from '../engine/contract/wording.js'
import { withoutTrailingSlashes } from '../engine/http/slashes.js'
import { decodeOption, flagOf, type OptionName, optionTable, splitNames } from '../server/options.js'
import { type CliCommand, type Flag, WrongUse } from './command.js'

type Parse<T> = (text: string, flag: string) => T

export function flag<T = string, D = undefined>(
  value: string,
  help: string,
  parse: Parse<T> = nonEmptyText as never,
  defaultValue?: D,
): Flag<T | D> {
  return (name) => {
    let isGiven = false
    return new Option(`${name} ${value}`, help).default(defaultValue).argParser<T>((text) => {
      if (isGiven) throw new WrongUse(`${name} is given twice. Give it once.`)
      isGiven = true
      return parse(requireValue(name, text), name)
    })
  }
}

const nonEmptyText: Parse<string> = (text, name) => {
  if (text === '') throw new WrongUse(`${name} needs a value, not ''. Is a variable empty?`)
  return text
}

/** Repeated flags add up. */
export function listFlag<T>(value: string, help: string, parse: Parse<readonly T[]>): Flag<readonly T[] | undefined> {
  return (name) =>
    new Option(`${name} ${value}`, help).argParser<readonly T[]>((text, before = []) => [
      ...new Set([...before, ...parse(requireValue(name, text), name)]),
    ])
}

/** If the value is missing, commander would take the next flag for it. */
function requireValue(name: string, text: string): string {
  if (text.startsWith('--')) throw new WrongUse(`${name} needs a value.`)
  return text
}

export function toggle(help: string): Flag<boolean | undefined> {
  return (name) => new Option(name, help)
}

export function optionFlags(names: readonly OptionName[], help: Partial<Record<OptionName, string>> = {}): Option[] {
  return names.flatMap((name) => {
    const { type, enum: values, default: fallback, description, 'x-option': { placeholder } = {} } = optionTable[name]
    const choices = values === undefined ? '' : ` [${values.join(' | ')}]`
    const defaultText = fallback === undefined || type === 'boolean' || type === 'array' ? '' : ` (default ${fallback})`
    const helpText = help[name] ?? `${description}${choices}${defaultText}`
    const long = `--${flagOf(name)}`
    if (type === 'array') return listFlag(`<${placeholder}>`, helpText, (...one) => [nonEmptyText(...one)])(long)
    const decode: Parse<unknown> = (text, source) => decodeOption(name, text, source)
    if (type !== 'boolean') return flag(`<${placeholder}>`, helpText, decode)(long)
    return [flag('[BOOLEAN]', helpText, decode)(long), new Option(`--no-${flagOf(name)}`).hideHelp()]
  })
}

export function configureCommand(command: Command, definition: CliCommand): void {
  const { usage, runsChild = false, about, operand, flags = {}, options = [], optionHelp, sections } = definition
  command.description(about)
  if (runsChild) command.usage('[options] -- COMMAND [ARGUMENT…]').allowExcessArguments()
  if (usage !== undefined) command.usage(usage)
  if (operand !== undefined) command.addArgument(operand)
  for (const [name, createOption] of Object.entries(flags)) command.addOption(createOption(`--${flagOf(name)}`))
  for (const one of optionFlags(options, optionHelp)) command.addOption(one.helpGroup(OPTIONS_HEADING))
  for (const [heading, text] of Object.entries(sections))
    command.addHelpText('after', `\n${heading}:\n${text.trim().replace(/^/gm, '  ')}`)
}

const OPTIONS_HEADING =
  'Options (also environment variables such as COUNTERSIGN_PORT and, except --config, keys of the config file):'

export function numberIn(least: number, most: number, hasDecimals = false): Parse<number> {
  const [label, format] = hasDecimals ? (['number', /^\d+(\.\d+)?$/] as const) : (['whole number', /^\d+$/] as const)
  return (text, source) => {
    if (format.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new WrongUse(`${source} must be a ${label} from ${least} to ${most}, not ${quote(text)}.`)
  }
}

export const percentage = numberIn(0, 100, true)

export function baseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isHttp = url !== undefined && /^https?:$/.test(url.protocol)
  if (isHttp && `${url.username}${url.password}${url.search}${url.hash}` === '') return withoutTrailingSlashes(url.href)
  throw new WrongUse(
    `${source} must be a base URL such as https://host/base, without user, password and query, not ${quote(withoutCredentials(text))}.`,
  )
}

/** Parses a comma-separated list of names. */
export const nameList: Parse<readonly string[]> = (text, source) => {
  const names = splitNames(text)
  if (names.length === 0) throw new WrongUse(`${source} needs a name, not ${quote(text)}.`)
  return names
}

export function subsetOf<Name extends string>(allowed: readonly Name[]): Parse<readonly Name[]> {
  return (text, source) => {
    const names = nameList(text, source)
    for (const name of names) requireAllowed(source, name, allowed)
    return names as readonly Name[]
  }
}

export function requireAllowed(source: string, name: string, allowed: readonly string[]): void {
  if (allowed.includes(name)) return
  const hint = didYouMean(name, allowed)
  throw new WrongUse(`${source} does not take ${quote(name)}.${hint} Allowed: ${allowed.join(', ')}.`)
}
