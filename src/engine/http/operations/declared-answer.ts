import { STATUS_CODES } from 'node:http'
import { isGatewayStatus, successStatusOf } from '../../contract/contract.js'
import { declaredBody, sampleBody } from '../../contract/envelopes.js'
import { SAMPLE_ORIGIN } from '../../contract/fields.js'
import { type Effects, NO_EFFECTS, type ScriptedAnswer, type ServiceAnswer } from '../../journal/exchange.js'
import { redactor } from '../../journal/redact.js'
import { baseUrlOf } from '../base-url.js'
import type { Call } from './call.js'

type Sample = Pick<ScriptedAnswer, 'status' | 'body' | 'headers'>

/** `content` is the body of a success, or the message of an error. */
export function serviceAnswer(
  call: Call,
  status: number,
  content: unknown,
  decision: Pick<ServiceAnswer, 'step' | 'violations'> & Partial<Effects>,
): ServiceAnswer {
  const safeContent = typeof content === 'string' ? redactTokens(call, content) : content
  const body = declaredBody(call.contract, status, safeContent)
  const why = status >= 400 ? String(content) : ''
  const { step, violations, effects = NO_EFFECTS.effects, mails = NO_EFFECTS.mails } = decision
  return { kind: 'service', status, body, step, cause: 'natural', why, violations, effects, mails }
}

function redactTokens({ sandbox, request: { params, query, form } }: Call, message: string): string {
  const values: unknown[] = [...Object.values(params), ...Object.values(query), ...Object.values(form ?? {})].flat()
  const tokens: string[] = []
  for (const value of values)
    if (typeof value === 'string' && message.includes(value) && sandbox.isToken(value)) tokens.push(value)
  return tokens.length === 0 ? message : redactor(tokens)(message)
}

export function sampleAnswer(call: Call, status = successStatusOf(call.contract)): Sample {
  const { contract } = call
  if (isGatewayStatus(contract, status)) return gatewayAnswer(status)
  if (!(status in contract.responses)) return { status, body: '', headers: { 'content-type': 'text/plain' } }
  return { status, body: replaceSampleOrigin(sampleBody(contract, status), call), headers: {} }
}

export function replaceSampleOrigin(body: unknown, { fastify, sandbox }: Call): unknown {
  const text = JSON.stringify(body)
  if (!text.includes(SAMPLE_ORIGIN)) return body
  return JSON.parse(text.replaceAll(SAMPLE_ORIGIN, baseUrlOf(fastify.request, sandbox)))
}

/** Seconds (RFC 9110, RFC 6585). */
const RETRY_AFTER: Readonly<Record<number, string>> = { 429: '1', 503: '1' }

function gatewayAnswer(status: number): Sample {
  const title = `${status} ${STATUS_CODES[status]}`
  const retryAfter = RETRY_AFTER[status]
  return {
    status,
    body: `<html>
<head><title>${title}</title></head>
<body>
<center><h1>${title}</h1></center>
<hr><center>gateway</center>
</body>
</html>
`,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
    },
  }
}
