import { onOneLine } from '../../text/wording.js'
import type { Exchange } from './exchange.js'
import { type ExchangeSummary, summaryOf } from './summary.js'

/** Characters of a path that are shown. */
const LONGEST_PATH = 300
/** Characters of a violation's message and of its fix. */
const LONGEST_MESSAGE = 1_000

/** An exchange for the terminal: a line, and below it each violation with its fix. */
export function logLines(exchange: Exchange, time: string, colour: boolean): string {
  const summary = summaryOf(exchange)
  const paint = colour ? painted : plain
  const line = [
    paint('quiet', time),
    `${summary.method} ${onOneLine(summary.url.split('?')[0] as string, LONGEST_PATH)}`,
    paint(toneOf(summary), answerOf(summary)),
    ...causeOf(summary),
    ...(summary.duration === null ? [] : [paint('quiet', `${Math.round(summary.duration)} ms`)]),
  ]
  return [line.join('  '), ...violationLines(summary, paint, ' '.repeat(time.length + 2))].join('\n')
}

/** What came back: an outcome, what only the mock said, a fault, or nothing. */
function answerOf({ status, outcome, problem, fault }: ExchangeSummary): string {
  if (fault !== null) return fault
  if (status === null) return 'no answer'
  return [status, outcome ?? problem].filter((one) => one !== null).join(' ')
}

/** `scenario NAME#1`, `prefer`; nothing where the operation answered by itself. */
function causeOf({ cause }: ExchangeSummary): string[] {
  return cause === 'natural' ? [] : [onOneLine(cause.replace(':', ' '), LONGEST_PATH)]
}

function violationLines({ violations }: ExchangeSummary, paint: Paint, indent: string): string[] {
  return violations.flatMap(({ basis, message, fix, expected }) => [
    `${indent}${paint('violation', expected ? `expected, ${basis}` : basis)}: ${onOneLine(message, LONGEST_MESSAGE)}`,
    `${indent}fix: ${onOneLine(fix, LONGEST_MESSAGE)}`,
  ])
}

type Tone = 'good' | 'client' | 'server' | 'violation' | 'quiet'
type Paint = (tone: Tone, text: string) => string

function toneOf({ status }: ExchangeSummary): Tone {
  if (status === null || status >= 500) return 'server'
  return status >= 400 ? 'client' : 'good'
}

/** The codes of ANSI terminals. */
const CODES: { readonly [T in Tone]: number } = { good: 32, client: 33, server: 31, violation: 35, quiet: 2 }

const painted: Paint = (tone, text) => `\u001b[${CODES[tone]}m${text}\u001b[0m`
const plain: Paint = (_, text) => text
