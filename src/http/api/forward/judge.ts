import type { IncomingMessage } from 'node:http'
import { isGatewayStatus } from '../../../../schemas/gateway.js'
import { BODILESS } from '../../../../schemas/scenario.js'
import { refusalOf } from '../../../operations/refusals.js'
import type { AnswerCopy } from '../../../provider/forward/answer-copy.js'
import { checkAnswer, undeclaredStatus } from '../../../validation/deviations.js'
import { noteCorrection } from '../deliver.js'
import type { StepContext } from '../step-context.js'
import { noteMistake } from '../steps/run-handler.js'
import { noteViolations } from '../steps/validate.js'
import type { PassingBody } from './passing-body.js'

/** Notes what is wrong with a request, as far as it has passed, and what was not looked at. */
export function judgeRequest(context: StepContext, body: PassingBody): void {
  attempt(context, 'The request’s body was not checked', () => {
    const { exchange } = context
    const { form, text, unreadable, unjudged } = body.read()
    exchange.form = form
    exchange.text = text
    context.unreadable = unreadable
    if (unjudged === undefined) noteWrongs(context)
    noteCorrection(context)
    return unjudged
  })
}

/** What the mock would refuse without a look at its world, since the provider's is another one. */
function noteWrongs(context: StepContext): void {
  if (noteViolations(context).length > 0) return
  const refusal = refusalOf(context.contract, context.exchange.form)
  if (refusal !== undefined) noteMistake(context, refusal)
}

/** Notes how an answer departs from its contract, as far as it was read; returns its text. */
export function judgeAnswer(context: StepContext, answer: IncomingMessage, copy: AnswerCopy): string | null {
  const { exchange, contract } = context
  const { statusCode: status = 0, headers } = answer
  let said: string | null = null
  attempt(context, 'The answer was not compared with the contract', () => {
    const { text, unread } = copy.read()
    if (copy.size > 0) said = text
    if (unread === undefined && !BODILESS.has(status)) {
      exchange.deviations = checkAnswer(contract, { status, contentType: headers['content-type'] ?? '', text })
    } else if (!(status in contract.responses) && !isGatewayStatus(contract, status)) {
      exchange.deviations = [undeclaredStatus(contract, status)]
    }
    return unread
  })
  return said
}

/** Whatever a body holds, it passes on: what cannot be judged is said to be so. */
function attempt({ exchange }: StepContext, what: string, judge: () => string | undefined): void {
  let unjudged: string | undefined
  try {
    unjudged = judge()
  } catch (error) {
    unjudged = (error as Error).message
  }
  if (unjudged !== undefined) exchange.why = `${exchange.why.replace(/[^.]$/, '$&.')} ${what}: ${unjudged}.`
}
