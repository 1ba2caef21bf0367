import type { ExchangeEntry } from '../../engine/journal/entry.js'

/** For test reports, oldest first. */
export function journalText(newestFirst: readonly ExchangeEntry[]): string {
  if (newestFirst.length === 0) return 'No request reached the sandbox.\n'
  return newestFirst.toReversed().flatMap(linesOf).join('\n').concat('\n')
}

function linesOf({ method, url, status, outcome, cause, response, violations }: ExchangeEntry): string[] {
  const answer = response?.fault ?? `${status ?? 'no answer'} ${outcome ?? ''}`.trimEnd()
  const why = cause === 'natural' ? '' : `  (${cause})`
  return [
    `${method} ${url}  ${answer}${why}`,
    ...violations.flatMap(({ basis, message, fix }) => [`    violation, ${basis}: ${message}`, `    fix: ${fix}`]),
    // Every violation of a request carries the same corrected call.
    ...(violations[0]?.corrected === undefined ? [] : [`    corrected: ${violations[0].corrected}`]),
  ]
}
