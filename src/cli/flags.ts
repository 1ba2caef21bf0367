import { type Command, Option } from 'commander'
import { didYouMean, quote, withoutCredentials } from '../engine/contract/wording.js'
import { withoutEndingSlashes } from '../engine/http/slashes.js'
import { decodeOption, flagOf, namesIn, type OptionName, optionTable } from '../server/options.js'
import { type CliCommand, type Flag, WrongUse } from './command.js'

type Parse<T> = (text: string, flag: string) => T

export function flag<T = string, D = undefined>(
  value: string,
  help: string,
  parse: Parse<T> = notEmpty as never,
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

const notEmpty: Parse<string> = (text, name) => {
  if (text === '') throw new WrongUse(`${name} needs a value, and '' is none: is a variable empty?`)
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
    const { type, enum: values, default: fallback, description, 'x-option': { value } = {} } = optionTable[name]
    const choices = values === undefined ? '' : ` [${values.join(' | ')}]`
    const defaultText = fallback === undefined || type === 'boolean' || type === 'array' ? '' : ` (default ${fallback})`
    const helpText = help[name] ?? `${description}${choices}${defaultText}`
    const long = `--${flagOf(name)}`
    if (type === 'boolean')
      return [
        flag('[BOOLEAN]', helpText, (text, source) => decodeOption(name, text, source))(long),
        new Option(`--no-${flagOf(name)}`).hideHelp(),
      ]
    if (type === 'array') return listFlag(`<${value}>`, helpText, oneName)(long)
    return flag(`<${value}>`, helpText, (text, source) => decodeOption(name, text, source))(long)
  })
}

const oneName: Parse<readonly string[]> = (text, source) => {
  if (text === '') throw new WrongUse(`${source} needs a name.`)
  return [text]
}

export function configureCommand(command: Command, described: CliCommand): Command {
  const { usage, runsChild = false, about, operand, flags = {}, options = [], optionHelp, sections } = described
  command.description(about)
  if (runsChild) command.usage('[options] -- COMMAND [ARGUMENT…]').allowExcessArguments()
  if (usage !== undefined) command.usage(usage)
  if (operand !== undefined) command.addArgument(operand)
  for (const [name, one] of Object.entries(flags)) command.addOption(one(`--${flagOf(name)}`))
  for (const one of optionFlags(options, optionHelp)) command.addOption(one.helpGroup(OPTIONS))
  for (const [heading, text] of Object.entries(sections))
    command.addHelpText('after', `\n${heading}:\n${text.trim().replace(/^/gm, '  ')}`)
  return command
}

const OPTIONS =
  'Options (also environment variables such as COUNTERSIGN_PORT and, except --config, keys of the config file):'

export function numberIn(least: number, most: number, hasDecimals = false): Parse<number> {
  const [kind, form] = hasDecimals ? (['a number', /^\d+(\.\d+)?$/] as const) : (['a whole number', /^\d+$/] as const)
  return (text, source) => {
    if (form.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
    throw new WrongUse(`${source} must be ${kind} from ${least} to ${most}, not ${quote(text)}.`)
  }
}

export const percentage = numberIn(0, 100, true)

export function baseUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isBase =
    url && /^https?:$/.test(url.protocol) && `${url.username}${url.password}${url.search}${url.hash}` === ''
  if (url && isBase) return withoutEndingSlashes(url.href)
  const given = quote(withoutCredentials(text))
  throw new WrongUse(
    `${source} must be a base URL such as https://host/base, without user, password and query, not ${given}.`,
  )
}

/** Comma-separated. */
export const names: Parse<readonly string[]> = (text, source) => {
  const all = namesIn(text)
  if (all.length === 0) throw new WrongUse(`${source} needs a name, not ${quote(text)}.`)
  return all
}

export function someOf<Name extends string>(known: readonly Name[]): Parse<readonly Name[]> {
  return (text, source) => {
    const all = names(text, source)
    for (const name of all) requireKnown(source, name, known)
    return all as readonly Name[]
  }
}

export function requireKnown(source: string, name: string, known: readonly string[]): void {
  if (known.includes(name)) return
  throw new WrongUse(`${source} does not take ${quote(name)}.${didYouMean(name, known)} Allowed: ${known.join(', ')}.`)
}
