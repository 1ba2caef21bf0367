import type { Cause } from '../../../world/journal/exchange.js'

interface Explained {
  readonly cause: string
  readonly why: string
  readonly violations: readonly { readonly message: string }[]
}

/** Why a request was answered so; empty for a success as usual. */
export function reasonFor({ cause, why, violations }: Explained): string {
  const [, scenario, rule] = /^scenario:(.*)#(\d+)$/.exec(cause) ?? []
  if (scenario !== undefined) return `Rule ${rule} of the scenario ${scenario} answered.`
  const reason = cause === ('prefer' satisfies Cause) ? why : (violations[0]?.message ?? why)
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}
