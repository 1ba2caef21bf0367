import { type Contract, constantPairs } from '../engine/contract/contract.js'
import { jsonOr } from '../engine/contract/json.js'
import { onOneLine } from '../engine/contract/wording.js'
import { summaryOf } from '../engine/journal/entry.js'
import type { Exchange } from '../engine/journal/exchange.js'
import { redactionOf } from '../engine/journal/redact.js'
import { urlInSandbox } from '../engine/journal/sent-request.js'
import { readableUrl } from '../engine/judge/decode.js'
import { describeCountInList, foldDeviations } from '../engine/judge/fold-deviations.js'
import type { Sandbox } from '../engine/sandbox/sandbox.js'
import type { LogNote } from '../engine/tool.js'
import { tools } from './tools.js'

/** Characters, of a reason and of the whole line. */
const LONGEST = 1_000
const LONGEST_LINE = 160
const SHORTEST_URL = 40

const CODES = { good: 32, client: 33, server: 31, violation: 35, quiet: 2 } as const

type Paint = (tone: keyof typeof CODES, text: string) => string

export interface LogFormat {
  readonly contracts: readonly Contract[]
  readonly colour: boolean
}

export function logLines(exchange: Exchange, sandbox: Sandbox, time: string, format: LogFormat): string {
  const { status, answer } = exchange
  const { problem, fault, cause } = answer
  const summary = summaryOf(exchange, sandbox)
  const paint: Paint = (tone, text) => (format.colour ? `\u001b[${CODES[tone]}m${text}\u001b[0m` : text)
  const tone = status === null || status >= 500 ? 'server' : status >= 400 ? 'client' : 'good'
  const given = fault ?? (status === null ? 'no answer' : `${status} ${summary.outcome ?? problem ?? ''}`.trimEnd())
  const after = cause === 'natural' ? [] : [onOneLine(cause.replace(':', ' '), LONGEST)]
  const duration = `${Math.round(summary.duration)} ms`
  const others = [time, `${summary.method} `, given, ...after, duration].join('  ').length
  const room = Math.max(LONGEST_LINE - others, SHORTEST_URL)
  const whole = onOneLine(readableUrl(urlInSandbox(summary), constantPairs(format.contracts)), LONGEST)
  const url = whole.length > room ? `${whole.slice(0, room - 1)}…` : whole
  const line = [
    paint('quiet', time),
    `${summary.method} ${url}`,
    paint(tone, given),
    ...after,
    paint('quiet', duration),
  ].join('  ')
  const notes: readonly LogNote[] = tools.flatMap((tool) => tool.logNotes?.(answer) ?? [])
  const below = [
    ...notes.map(({ about, message }) => `${paint('server', about)}: ${onOneLine(message, LONGEST)}`),
    ...(problem === null || summary.violations.length > 0
      ? []
      : [`${paint('violation', problem)}: ${onOneLine(summary.why, LONGEST)}`]),
    ...summary.violations.flatMap(({ basis, message, fix, expected }) => [
      `${paint('violation', `${expected ? 'expected ' : ''}violation, ${basis}`)}: ${onOneLine(message, LONGEST)}`,
      `fix: ${onOneLine(fix, LONGEST)}`,
    ]),
    ...deviationLines(exchange, sandbox, paint),
  ]
  return [line, ...below.map((one) => `${' '.repeat(time.length + 2)}${one}`)].join('\n')
}

function deviationLines(exchange: Exchange, sandbox: Sandbox, paint: Paint): string[] {
  const { deviations, text: body } = exchange.answer
  const found = deviations.filter(({ meant }) => !meant)
  if (found.length === 0) return []
  const redact = redactionOf(exchange, sandbox)
  return foldDeviations(found, jsonOr(body ?? '', undefined)).map(({ basis, message, cites, ...one }) => {
    const text = onOneLine(redact(`${describeCountInList(one)}${message}`), LONGEST)
    return `${paint('violation', `deviation, ${basis}`)}: ${text} (${cites.join(', ')})`
  })
}
