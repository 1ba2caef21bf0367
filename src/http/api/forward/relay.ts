import type { IncomingMessage } from 'node:http'
import { BODILESS } from '../../../../schemas/scenario.js'
import { AnswerCopy } from '../../../provider/forward/answer-copy.js'
import { isAnswerWhole } from '../../../provider/forward/connection.js'
import { noAnswer } from '../../../provider/forward/failures.js'
import type { Target } from '../../../provider/forward/target.js'
import { deliverProblem } from '../deliver.js'
import type { StepContext } from '../step-context.js'
import { answerHead, asRecord, writeHead } from './answer-head.js'
import { passTrailers } from './asides.js'
import type { Call } from './call.js'
import { whenClientLeaves } from './client-leaves.js'
import { judgeAnswer, judgeRequest } from './judge.js'
import { providerProblem } from './provider-problem.js'

/** Milliseconds in which a client can read what was written, before its connection is reset. */
const PAUSE = 20

/**
 * Passes the provider's answer on as it comes, byte for byte. The exchange is closed before the client has the last of
 * it. An answer that breaks off takes the client's connection with it, so that it never looks whole.
 */
export function relay(context: StepContext, call: Call, answer: IncomingMessage): void {
  const { reply, exchange, world } = context
  const { raw: response } = reply
  const { statusCode: status = 0, statusMessage = '', headers } = answer
  const head = answerHead(context, answer)
  call.release()
  try {
    if (answer.destroyed && !answer.complete) throw new Error('it broke off')
    writeHead(response, status, statusMessage, head)
  } catch (error) {
    // Node reads more than it writes.
    call.abort()
    return refuse(context, call.target, error as Error)
  }
  reply.hijack()
  const copy = new AnswerCopy(headers['content-encoding'] ?? '')
  const length = Number(headers['content-length'] ?? Number.NaN)
  let open = true

  const close = (ended: number | null, body: string | null) => {
    open = false
    stay()
    judgeRequest(context, call.body)
    world.journal.close(exchange, ended, { headers: asRecord(head), body })
  }
  const conclude = () => {
    if (open) close(status, judgeAnswer(context, answer, copy))
  }
  const breakOff = (why: string) => {
    answer.destroy()
    if (!open) return
    exchange.why = why
    close(null, copy.size === 0 ? null : copy.read().text)
    if (response.chunkedEncoding || !Number.isNaN(length)) response.destroy()
    // Without a length, an orderly end would be the end of the answer; a client that reads both at once sees one.
    else setTimeout(() => response.socket?.resetAndDestroy(), PAUSE)
  }
  const stay = whenClientLeaves(context, () => {
    call.abort()
    breakOff('the connection ended before all of the answer')
  })

  if (BODILESS.has(status) || length === 0) conclude()
  answer.on('data', (chunk: Buffer) => {
    copy.add(chunk)
    if (copy.size === length) {
      conclude()
      return void response.end(chunk)
    }
    if (response.write(chunk)) return
    answer.pause()
    response.once('drain', () => answer.resume())
  })
  const broken = () => breakOff(`the provider broke off its answer after ${copy.size} bytes`)
  answer.once('end', () => {
    if (open && !isAnswerWhole(answer)) return broken()
    conclude()
    if (response.writableEnded) return
    passTrailers(response, answer.rawTrailers)
    response.end()
  })
  answer.once('error', broken)
  answer.once('close', () => {
    if (!answer.complete) broken()
  })
  // A head whose body takes its time is not held back.
  setImmediate(() => {
    if (!response.writableEnded && copy.size === 0) response.flushHeaders()
  })
}

/** Nothing has reached the client yet. */
function refuse(context: StepContext, target: Target, error: Error): void {
  const { raw } = context.reply
  raw.statusMessage = ''
  raw.sendDate = true
  deliverProblem(context, providerProblem(noAnswer(target, error), target))
}
