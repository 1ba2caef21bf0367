import { printable } from '../engine/contract/wording.js'
import { summaryOf } from '../engine/journal/entry.js'
import type { Exchange } from '../engine/journal/exchange.js'
import { redactionOf } from '../engine/journal/redact.js'
import { urlInSandbox } from '../engine/journal/sent-request.js'
import { readableUrl } from '../engine/judge/decode.js'
import { describeCount, forAllItems } from '../engine/judge/fold-deviations.js'
import type { Sandbox } from '../engine/sandbox/sandbox.js'
import type { LogNote } from '../engine/tool.js'
import { tools } from './tools.js'

const LONGEST_TEXT = 1_000
/** Characters: a long URL is cut to fit the line, but not below SHORTEST_URL. */
const LONGEST_LINE = 160
const SHORTEST_URL = 40

const ANSI_CODES = { good: 32, client: 33, error: 31, violation: 35, quiet: 2 } as const

type Paint = (tone: keyof typeof ANSI_CODES, text: string) => string

export interface LogFormat {
  readonly hiddenPairs: readonly string[]
  readonly colour: boolean
}

export function logLines(exchange: Exchange, sandbox: Sandbox, time: string, format: LogFormat): string {
  const summary = summaryOf(exchange, sandbox)
  const { status, problem, fault, cause } = summary
  const paint: Paint = (tone, text) => (format.colour ? `\u001b[${ANSI_CODES[tone]}m${text}\u001b[0m` : text)
  const tone = status === null || status >= 500 ? 'error' : status >= 400 ? 'client' : 'good'
  const result = fault ?? (status === null ? 'no answer' : `${status} ${summary.outcome ?? problem ?? ''}`.trimEnd())
  const causes = cause === 'natural' ? [] : [printable(cause.replace(':', ' '), LONGEST_TEXT)]
  const duration = `${Math.round(summary.duration)} ms`
  const lengthWithoutUrl = [time, `${summary.method} `, result, ...causes, duration].join('  ').length
  const longestUrl = Math.max(LONGEST_LINE - lengthWithoutUrl, SHORTEST_URL)
  const readable = readableUrl(urlInSandbox(summary), format.hiddenPairs, summary.violations)
  const wholeUrl = printable(readable, LONGEST_TEXT)
  const url = wholeUrl.length > longestUrl ? `${wholeUrl.slice(0, longestUrl - 1)}…` : wholeUrl
  const line = [
    paint('quiet', time),
    `${summary.method} ${url}`,
    paint(tone, result),
    ...causes,
    paint('quiet', duration),
  ].join('  ')
  const notes: readonly LogNote[] = tools.flatMap((tool) => tool.logNotes?.(exchange.answer) ?? [])
  const details = [
    ...notes.map(({ about, message }) => `${paint('error', about)}: ${printable(message, LONGEST_TEXT)}`),
    ...(problem === null || summary.violations.length > 0
      ? []
      : [`${paint('violation', problem)}: ${printable(summary.why, LONGEST_TEXT)}`]),
    ...summary.violations.flatMap(({ basis, message, fix, expected }) => [
      `${paint('violation', `${expected ? 'expected ' : ''}violation, ${basis}`)}: ${printable(message, LONGEST_TEXT)}`,
      `fix: ${printable(fix, LONGEST_TEXT)}`,
    ]),
    ...deviationLines(exchange, sandbox, paint),
  ]
  return [line, ...details.map((detail) => `${' '.repeat(time.length + 2)}${detail}`)].join('\n')
}

function deviationLines(exchange: Exchange, sandbox: Sandbox, paint: Paint): string[] {
  const unintended = exchange.answer.deviations.filter(({ meant }) => !meant)
  if (unintended.length === 0) return []
  const redact = redactionOf(exchange, sandbox)
  return unintended.map(forAllItems).map(({ basis, message, cites, ...one }) => {
    const text = printable(redact(`${describeCount(one)}${message}`), LONGEST_TEXT)
    return `${paint('violation', `deviation, ${basis}`)}: ${text} (${cites.join(', ')})`
  })
}
