import { pipeline, Readable, Transform } from 'node:stream'
import type { Dispatcher } from 'undici'
import { BODILESS } from '../../../../schemas/scenario.js'
import { AnswerCopy } from '../../../provider/forward/answer-copy.js'
import { NoStatus } from '../../../provider/forward/failures.js'
import type { Problem } from '../../problems.js'
import type { Outgoing } from '../outgoing.js'
import type { StepContext } from '../step-context.js'
import { answerHead } from './answer-head.js'
import { judgeAnswer, judgeRequest } from './judge.js'
import type { PassingBody } from './passing-body.js'

/** Statuses beyond are none (RFC 9110, section 15). */
const HIGHEST_STATUS = 599

/**
 * The provider's answer as it passes on, byte for byte. The exchange is closed before the client has the last of it. An
 * answer that breaks off takes the client's connection with it, so that it never looks whole.
 */
export async function passOn(
  context: StepContext,
  { statusCode: status, statusText, headers, body }: Dispatcher.ResponseData,
  request: PassingBody,
  problemOf: (error: Error) => Problem,
): Promise<Outgoing> {
  if (status > HIGHEST_STATUS) {
    body.on('error', () => {}).destroy()
    throw problemOf(new NoStatus(status))
  }
  const { exchange, reply, world } = context
  const sent = answerHead(context, status, headers)
  const copy = new AnswerCopy(String(headers['content-encoding'] ?? ''))
  const length = Number(headers['content-length'] ?? Number.NaN)
  let open = true
  const close = async (ended: number | null, text: () => string | null) => {
    if (!open) return
    open = false
    await judgeRequest(context, request)
    world.journal.close(exchange, ended, { headers: asTexts(sent), body: text() })
  }
  const conclude = () => close(status, () => judgeAnswer(context, { status, headers }, copy))
  const passing = new Transform({
    transform: (piece: Buffer, _, done) => {
      copy.add(piece)
      if (copy.size !== length) return done(null, piece)
      conclude().then(() => done(null, piece), done)
    },
    flush: (done) => void conclude().then(() => done(), done),
    destroy: (error, done) => {
      // Nothing has reached the client yet.
      if (open && error && !reply.raw.headersSent) {
        open = false
        return done(problemOf(error))
      }
      if (open) {
        exchange.brokenOff = error !== null
        exchange.why = error
          ? `the provider broke off its answer after ${copy.size} bytes`
          : 'the connection ended before all of the answer'
        void close(null, () => (copy.size === 0 ? null : copy.read().text))
      }
      done(error)
    },
  })
  const isBodiless = BODILESS.has(status)
  if (isBodiless || length === 0) await conclude()
  const abort = () => {
    open = false
    body.destroy()
    passing.destroy()
  }
  return {
    status,
    body: null,
    forwarded: {
      reason: reasonFrom(statusText),
      headers: sent,
      body: isBodiless ? emptied(body) : pipeline(body, passing, () => {}),
      abort,
    },
  }
}

/** What comes where a status has no body: undici takes the length that a 304 may tell for one that was cut off. */
function emptied(body: Readable): Readable {
  body.on('error', () => {}).resume()
  return Readable.from([])
}

/** What undici has read as UTF-8, as it stood on the wire; empty for the status's own words where Node cannot write it. */
function reasonFrom(text: string): string {
  return /[\p{Cc}\ufffd]/u.test(text.replaceAll('\t', ' ')) ? '' : Buffer.from(text).toString('latin1')
}

/** The fields as the journal has them. */
function asTexts(headers: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]))
}
