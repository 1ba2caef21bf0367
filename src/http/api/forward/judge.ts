import type { IncomingHttpHeaders } from 'node:http'
import { USER_TYPE } from '../../../../schemas/common.js'
import { needsUserType } from '../../../../schemas/contract.js'
import { isGatewayStatus } from '../../../../schemas/gateway.js'
import { BODILESS } from '../../../../schemas/scenario.js'
import { refusalOf } from '../../../operations/refusals.js'
import type { AnswerCopy } from '../../../provider/forward/answer-copy.js'
import { checkAnswer, undeclaredStatus } from '../../../validation/deviations.js'
import { noteCorrection } from '../deliver.js'
import type { StepContext } from '../step-context.js'
import { readBody } from '../steps/read-request.js'
import { noteMistake } from '../steps/run-handler.js'
import { noteViolations } from '../steps/validate.js'
import { malformedType } from '../unreadable-body.js'
import type { PassingBody } from './passing-body.js'

/** Notes what is wrong with a request, as far as it has passed, and what was not looked at. */
export async function judgeRequest(context: StepContext, body: PassingBody): Promise<void> {
  await attempt(context, 'The request’s body was not checked', async () => {
    if (!body.hasEnded) return 'the answer came before all of the body'
    if (body.whole === undefined) return 'it is longer than --body-limit'
    context.request.bytes = body.whole
    await readPassed(context)
    if (noteViolations(context, true).length === 0) await noteRefusal(context)
    return undefined
  })
  noteCorrection(context)
}

/** What Fastify takes for a media type, roughly. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

async function readPassed(context: StepContext): Promise<void> {
  const { contract, request } = context
  const { 'content-type': type } = request.headers
  const isTypeless = contract.form !== undefined && type && !MEDIA_TYPE.test(type)
  if (isTypeless) context.unreadable = malformedType(type).violation
  else await readBody(context)
}

/** What the mock would refuse without a look at its world, since the provider's is another one. */
async function noteRefusal(context: StepContext): Promise<void> {
  const refusal = await refusalOf(context.contract, context.exchange.form)
  if (refusal !== undefined) noteMistake(context, refusal)
}

/** Notes how an answer departs from its contract, as far as it was read; returns its text. */
export function judgeAnswer(
  context: StepContext,
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
  copy: AnswerCopy,
): string | null {
  const { exchange, contract } = context
  const { user_type } = context.request.query as Readonly<Record<string, unknown>>
  const lacksUserType = needsUserType(contract) && user_type !== USER_TYPE
  let said: string | null = null
  const why = unlessThrown(() => {
    const { text, unread } = copy.read()
    if (copy.size > 0) said = text
    if (unread === undefined && !BODILESS.has(status)) {
      const contentType = String(headers['content-type'] ?? '')
      exchange.deviations = checkAnswer(contract, { status, contentType, text, lacksUserType })
    } else if (!(status in contract.responses) && !isGatewayStatus(contract, status)) {
      exchange.deviations = [undeclaredStatus(contract, status, lacksUserType)]
    }
    return unread
  })
  noteUnjudged(context, 'The answer was not compared with the contract', why)
  return said
}

/** Whatever a body holds, it passes on: what cannot be judged is said to be so. */
async function attempt(context: StepContext, what: string, judge: () => Promise<string | undefined>): Promise<void> {
  noteUnjudged(context, what, await judge().catch(({ message }: Error) => message))
}

function unlessThrown(judge: () => string | undefined): string | undefined {
  try {
    return judge()
  } catch (error) {
    return (error as Error).message
  }
}

function noteUnjudged({ exchange }: StepContext, what: string, why: string | undefined): void {
  if (why !== undefined) exchange.why = `${exchange.why.replace(/[^.]$/, '$&.')} ${what}: ${why}.`
}
