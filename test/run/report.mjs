import { stripVTControlCharacters } from 'node:util'
import { failureLines } from './failure.mjs'
import { first, indent, last, linesOf, painter, printable } from './text.mjs'

const MOST_OUTPUT = 40

const paint = painter(process.stdout)

/** A subject that has ended: a line, and what it printed beside its results where it failed. */
export function subjectLines({ name, seconds, passed, failures, skips, output }) {
  const failed = failures.length > 0
  const more = [
    failed && paint('red', `${failures.length} failed`),
    skips.length > 0 && paint('yellow', `${skips.length} skipped`),
  ].filter(Boolean)
  const mark = failed ? paint('red', '✗') : paint('green', '✓')
  const line = `${mark} ${name.padEnd(24)}${`${passed}`.padStart(6)} passed ${seconds.toFixed(1).padStart(6)} s  ${more.join(', ')}`
  const printed = failed ? last(linesOf(stripVTControlCharacters(output)), MOST_OUTPUT) : []
  return [line.trimEnd(), ...indent(printed.map(printable), 4)]
}

/** What failed and what was skipped, and the count. `took`: milliseconds. */
export function summaryLines(results, took) {
  const failures = results.flatMap(({ failures }) => failures)
  const skips = results.flatMap(({ skips }) => skips)
  const passed = results.reduce((sum, { passed }) => sum + passed, 0)
  return [
    ...failures.flatMap((failure) => ['', ...failureLines(failure, paint)]),
    ...skippedLines(skips),
    '',
    `${results.length} subjects in ${(took / 1000).toFixed(0)} s`,
    `${passed} passed, ${failures.length} failed${skips.length > 0 ? `, ${skips.length} skipped` : ''}`,
  ]
}

/** What was skipped, by the reason, which says how to end it. */
function skippedLines(skips) {
  const byReason = new Map()
  for (const skip of skips) byReason.set(reasonOf(skip), [...(byReason.get(reasonOf(skip)) ?? []), skip.fullname])
  return [...byReason].flatMap(([reason, names]) => {
    return ['', printable(`Skipped, ${reason}:`), ...indent(first(names.map(printable), MOST_OUTPUT), 2)]
  })
}

function reasonOf({ skip, todo }) {
  const reason = skip || todo
  return reason === true ? 'without a reason' : reason
}
