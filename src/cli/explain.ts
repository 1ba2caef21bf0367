import { contracts } from '../../schemas/contracts.js'
import type { Delay, Matcher } from '../../schemas/scenario.js'
import { InvalidOption } from '../server/invalid-option.js'
import { openLibrary } from '../server/load-data.js'
import { describeComplaint } from '../text/invalid-files.js'
import { didYouMean, quote } from '../text/wording.js'
import type { ReadyRule, Scenario } from '../world/scenarios/scenario.js'
import type { Command } from './command.js'
import { readCommandLine, refuseWords } from './command-line.js'
import { readSettings } from './read-settings.js'

/** Prints in plain words what a scenario will do, rule by rule. */
export const explain: Command = async (argv, io) => {
  const { options, words } = readCommandLine(argv)
  const [name, ...others] = words
  refuseWords(others)
  const library = openLibrary(await readSettings(options, io), contracts)
  const complaints = await library.load()
  if (name === undefined) {
    const files = library.all().filter(({ forces }) => forces === undefined)
    const available = files.map((one) => one.name).join(', ')
    throw new InvalidOption(`Name a scenario: countersign explain NAME. Available: ${available}.`)
  }
  const scenario = library.find(name)
  if (scenario === undefined) {
    const broken = complaints.map((one) => `\n${describeComplaint(one)}`).join('')
    throw new InvalidOption(`There is no scenario ${quote(name)}.${didYouMean(name, library.names())}${broken}`)
  }
  io.out(describeScenario(scenario))
  return 0
}

/** A scenario as a story: the first rule that a call meets, and that is not spent, answers it. */
export function describeScenario({ name, description, rules, forces }: Scenario): string {
  const heading = [name, ...(description === '' ? [] : [`  ${description}`]), '']
  if (forces !== undefined)
    return [
      ...heading,
      `Every call of ${forces.operation ?? 'any operation'} is answered with ${forces.status}, before anything is checked.`,
    ].join('\n')
  return [
    ...heading,
    ...rules.map((rule, at) => `${at + 1}. ${sentence(rule)}`),
    rules.length === 0 ? 'It has no rules: every call is answered as usual.' : 'Any other call is answered as usual.',
  ].join('\n')
}

function sentence(rule: ReadyRule): string {
  return [`${who(rule)}${conditions(rule)}${odds(rule)}:`, `${what(rule)}.`, ...afterwards(rule)].join(' ')
}

function who({ on, times }: ReadyRule): string {
  const calls = on === undefined ? 'any operation' : [...on].join(' or ')
  if (times === undefined) return `Calls of ${calls}`
  return times === 1 ? `The first call of ${calls}` : `The first ${times} calls of ${calls}`
}

function conditions({ when = {} }: ReadyRule): string {
  const { state, token, ...parts } = when
  const fields = Object.entries(parts).flatMap(([part, matchers]) =>
    Object.entries(matchers as Record<string, Matcher>).map(([name, matcher]) => `${part} ${name} ${wanted(matcher)}`),
  )
  const all = [
    ...(state === undefined ? [] : [`the scenario is in the state '${state}'`]),
    ...(token === undefined ? [] : [`the token ${wanted(token)}`]),
    ...fields,
  ]
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`
}

const VERBS: Readonly<Record<string, string>> = {
  equals: 'is',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  matches: 'matches',
}

function wanted(matcher: Matcher): string {
  if (typeof matcher !== 'object') return `is '${matcher}'`
  return Object.entries(matcher)
    .map(([name, value]) => (name === 'absent' ? (value ? 'is absent' : 'is there') : `${VERBS[name]} '${value}'`))
    .join(' and ')
}

function odds({ chance }: ReadyRule): string {
  return chance === undefined || chance === 1
    ? ''
    : `, ${Math.round(chance * 1000) / 10} in 100 of them (drawn from the seed)`
}

function what({ answer: { status, body, headers, delay, fault, effect } }: ReadyRule): string {
  const late = delay === undefined ? '' : ` after ${duration(delay)}`
  const extra = headers === undefined ? '' : `, with the headers ${Object.keys(headers).join(', ')}`
  if (fault !== undefined)
    return `${effect === 'after' ? 'the operation takes place, but then ' : ''}the connection fails with ${fault}${late}`
  if (status === undefined && body === undefined) return `they are answered as usual${late}${extra}`
  const own = body === undefined ? '' : ' and a body of its own'
  return `${effect === 'after' ? 'the operation takes place, but then ' : ''}the answer is ${status ?? 'a success'}${own}${late}${extra}`
}

function duration(delay: Delay): string {
  if (typeof delay === 'number') return `${delay} ms`
  if ('uniform' in delay) return `${delay.uniform.lower} to ${delay.uniform.upper} ms`
  return `about ${delay.lognormal.median} ms (log-normal, sigma ${delay.lognormal.sigma})`
}

function afterwards({ then }: ReadyRule): string[] {
  return then === undefined ? [] : [`Then the scenario is in the state '${then}'.`]
}
