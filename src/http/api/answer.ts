import { declaredBody, sampleBody } from '../../../schemas/bodies.js'
import { SAMPLE_ORIGIN } from '../../../schemas/common.js'
import { successStatusOf } from '../../../schemas/contract.js'
import { baseUrlOf } from '../base-url.js'
import type { Outgoing } from './outgoing.js'
import type { StepContext } from './step-context.js'

/** A declared answer, by what is said of it: a success's body, or an error's message. */
export function declaredAnswer({ contract }: StepContext, status: number, said: unknown): Outgoing {
  return { status, body: declaredBody(contract, status, said) }
}

/**
 * The sample answer of a declared status, by default of a success; its links lead to this server, into the world that
 * was called.
 */
export function sampleAnswer({ contract, world, request }: StepContext, status = successStatusOf(contract)): Outgoing {
  const body = sampleBody(contract, status)
  const text = JSON.stringify(body)
  if (!text.includes(SAMPLE_ORIGIN)) return { status, body }
  return { status, body: JSON.parse(text.replaceAll(SAMPLE_ORIGIN, baseUrlOf(request, world))) }
}
