import type { DataComplaint } from '../../contract/complaint.js'
import type { Contract } from '../../contract/contract.js'
import { didYouMean, quote } from '../../contract/wording.js'
import type { FileComplaint } from '../../files/invalid-files.js'
import type { SourceFile } from '../../files/source-file.js'
import type { CompiledRule } from './scenario.js'

/** `rules` begin with the inherited rules and end with `fileRules`. */
export function warningsFor(
  source: SourceFile,
  rules: readonly CompiledRule[],
  fileRules: readonly CompiledRule[],
  contracts: readonly Contract[],
): Promise<readonly FileComplaint[]> {
  const inheritedCount = rules.length - fileRules.length
  const warn = (find: (rule: CompiledRule, at: number) => readonly DataComplaint[]) =>
    fileRules.flatMap((rule, at) =>
      find(rule, at).map(({ path, message, about }) => source.complain(['rules', at, ...path], message, about)),
    )
  return Promise.all([
    ...warn((rule, at) => findUnreachableRule(rule, rules.slice(0, inheritedCount + at))),
    ...warn((rule) => findUnknownNames(rule, contracts)),
  ])
}

const PARTS = {
  query: ['query', 'query parameter'],
  body: ['form', 'field'],
  path: ['params', 'path variable'],
} as const

function findUnknownNames({ on, when = {} }: CompiledRule, contracts: readonly Contract[]): DataComplaint[] {
  const matching = contracts.filter(({ id }) => on === '*' || on.includes(id))
  return Object.entries(PARTS).flatMap(([key, [part, label]]) => {
    const names = [...new Set(matching.flatMap((contract) => Object.keys(contract[part]?.properties ?? {})))]
    const problem = on === '*' ? `No operation has a ${label}` : `${on.join(' or ')} has no ${label}`
    const unknown = Object.keys(when[key as keyof typeof PARTS] ?? {}).filter((name) => !names.includes(name))
    return unknown.map((name) => {
      const hint = didYouMean(name, names) || ` Allowed: ${names.join(', ') || 'none'}.`
      return { path: ['when', key, name], about: 'key', message: `${problem} ${quote(name)}.${hint}` }
    })
  })
}

function findUnreachableRule({ on }: CompiledRule, before: readonly CompiledRule[]): DataComplaint[] {
  const earlier = before.filter(
    ({ times, chance = 1, when = {} }) => times === undefined && chance >= 1 && Object.keys(when).length === 0,
  )
  const operations = on === '*' ? ['*'] : on
  const isAnswered = (operation: string) => earlier.some((rule) => rule.on === '*' || rule.on.includes(operation))
  if (!operations.every(isAnswered)) return []
  const message =
    'This rule can never answer: earlier rules answer all its calls. Move it before those rules, unless they are inherited, or remove it.'
  return [{ path: [], message }]
}
