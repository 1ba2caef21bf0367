import { jsonOr } from '../../text/json.js'
import { onOneLine } from '../../text/wording.js'
import { countInList, foldDeviations } from '../../validation/fold-deviations.js'
import type { Exchange } from './exchange.js'
import { redactionOf } from './redact.js'
import { urlInSandbox } from './sent-request.js'
import { type ExchangeSummary, summaryOf } from './summary.js'

/** Characters of a path that are shown. */
const LONGEST_PATH = 300
/** Characters of a violation's message and of its fix. */
const LONGEST_MESSAGE = 1_000

/** An exchange for the terminal: a line, and below it each violation with its fix, and each deviation. */
export function logLines(exchange: Exchange, time: string, colour: boolean): string {
  const summary = summaryOf(exchange)
  const { method, duration } = summary
  const paint = colour ? painted : plain
  const cause = causeOf(exchange)
  const line = [
    paint('quiet', time),
    `${method} ${onOneLine(urlInSandbox(summary).split('?', 1)[0] as string, LONGEST_PATH)}`,
    paint(toneOf(exchange), answerOf(exchange)),
    ...(cause === undefined ? [] : [cause]),
    ...(duration === null ? [] : [paint('quiet', `${Math.round(duration)} ms`)]),
  ].join('  ')
  const indent = ' '.repeat(time.length + 2)
  const violations = violationLines(summary, paint, indent)
  return [line, ...absence(exchange, paint, indent), ...violations, ...deviationLines(exchange, paint, indent)].join(
    '\n',
  )
}

/** Why the mock answered in the provider's place. */
function absence({ providerFailure }: Exchange, paint: Paint, indent: string): string[] {
  if (providerFailure === undefined) return []
  return [`${indent}${paint('server', 'the provider')}: ${onOneLine(providerFailure, LONGEST_MESSAGE)}`]
}

/** What came back: an outcome, what only the mock said, a fault, or nothing. */
function answerOf({ status, outcome, sent }: Exchange): string {
  if (sent?.fault !== undefined) return sent.fault
  if (status === null) return 'no answer'
  return `${status} ${outcome ?? sent?.headers['x-mock-error'] ?? ''}`.trimEnd()
}

/** `scenario NAME#1`, `prefer`; nothing where the operation answered by itself. */
function causeOf({ cause }: Exchange): string | undefined {
  return cause === 'natural' ? undefined : onOneLine(cause.replace(':', ' '), LONGEST_PATH)
}

function violationLines({ violations }: ExchangeSummary, paint: Paint, indent: string): string[] {
  return violations.flatMap(({ basis, message, fix, expected }) => [
    `${indent}${paint('violation', expected ? `expected, ${basis}` : basis)}: ${onOneLine(message, LONGEST_MESSAGE)}`,
    `${indent}fix: ${onOneLine(fix, LONGEST_MESSAGE)}`,
  ])
}

/** How the answer departs from its contract, but for what a scenario has on purpose. */
function deviationLines(exchange: Exchange, paint: Paint, indent: string): string[] {
  const found = exchange.deviations.filter(({ meant }) => !meant)
  if (found.length === 0) return []
  const redact = redactionOf(exchange)
  return foldDeviations(found, jsonOr(exchange.sent?.body ?? '', undefined)).map(
    ({ basis, message, cites, ...one }) => {
      const text = onOneLine(redact(`${countInList(one)}${message}`), LONGEST_MESSAGE)
      return `${indent}${paint('violation', `deviation, ${basis}`)}: ${text} (${cites.join(', ')})`
    },
  )
}

type Tone = 'good' | 'client' | 'server' | 'violation' | 'quiet'
type Paint = (tone: Tone, text: string) => string

function toneOf({ status }: Exchange): Tone {
  if (status === null || status >= 500) return 'server'
  return status >= 400 ? 'client' : 'good'
}

/** The codes of ANSI terminals. */
const CODES: { readonly [T in Tone]: number } = { good: 32, client: 33, server: 31, violation: 35, quiet: 2 }

const painted: Paint = (tone, text) => `\u001b[${CODES[tone]}m${text}\u001b[0m`
const plain: Paint = (_, text) => text
