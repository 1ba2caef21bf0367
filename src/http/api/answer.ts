import { declaredBody, sampleBody } from '../../../schemas/bodies.js'
import { SAMPLE_ORIGIN } from '../../../schemas/common.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import { baseUrlOf } from '../base-url.js'
import { gatewayAnswer } from './gateway.js'
import type { Outgoing } from './outgoing.js'
import type { StepContext } from './step-context.js'

/** A declared answer, by what is said of it: a success's body, or an error's message. */
export function declaredAnswer({ contract }: StepContext, status: number, said: unknown): Outgoing {
  return { status, body: declaredBody(contract, status, said) }
}

/**
 * The sample answer of a status, by default of a success; its links lead to this server, into the world that was called.
 * What an operation does not declare is a gateway's answer, or an empty one.
 */
export function sampleAnswer({ contract, world, request }: StepContext, status = successStatusOf(contract)): Outgoing {
  if (isGatewayStatus(contract, status)) return gatewayAnswer(status)
  if (!(status in contract.responses)) return { status, body: '', headers: { 'content-type': 'text/plain' } }
  const body = withLinks(sampleBody(contract, status), () => baseUrlOf(request, world))
  return { status, body }
}

/** A sample body's links lead to this server, into the world that was called. */
export function withLinks(body: unknown, origin: () => string): unknown {
  const text = JSON.stringify(body)
  return text.includes(SAMPLE_ORIGIN) ? JSON.parse(text.replaceAll(SAMPLE_ORIGIN, origin())) : body
}
