import type { Contract } from '../../schemas/contract.js'
import type { Exchange } from '../exchange.js'
import type { Violation } from '../violations.js'
import { didYouMean, quote } from '../words.js'

const NONE: readonly Violation[] = Object.freeze([])

/** What a client does wrong though it may get an answer. */
export function lint(exchange: Exchange, contract: Contract): readonly Violation[] {
  let found: Violation[] | undefined
  for (const rule of rules) {
    const violations = rule(exchange, contract)
    if (violations.length > 0) found = [...(found ?? []), ...violations]
  }
  return found ?? NONE
}

type LintRule = (exchange: Exchange, contract: Contract) => readonly Violation[]

const rules: readonly LintRule[] = [
  ({ query }, contract) => unknownKeys(query, contract, 'query'),
  ({ form }, contract) => (form === null ? NONE : unknownKeys(form, contract, 'form')),
]

function unknownKeys(
  given: Readonly<Record<string, unknown>>,
  contract: Contract,
  part: 'query' | 'form',
): readonly Violation[] {
  let found: Violation[] | undefined
  const known = contract[part]?.properties ?? {}
  for (const name in given) {
    if (name in known) continue
    found = [...(found ?? []), unknown(name, Object.keys(known), part, contract)]
  }
  return found ?? NONE
}

function unknown(name: string, known: readonly string[], part: 'query' | 'form', contract: Contract): Violation {
  const words = part === 'query' ? 'query parameter' : 'form field'
  const keyword = part === 'query' && /^keyword\b/.test(name) && known.some((one) => one.startsWith('keyword['))
  return {
    code: keyword ? 'unknown-keyword' : `unknown-${part === 'query' ? 'parameter' : 'field'}`,
    message: `The ${words} ${quote(name)} is not documented.${didYouMean(name, known)} ${contract.id} takes ${known.join(', ') || 'none'}.`,
    where: `${part}.${name}`,
    fix: `Leave it out, or send one of ${known.join(', ') || 'none'}.`,
    rule: `Endpoints, ${contract.section}. ${contract.summary}.`,
  }
}
