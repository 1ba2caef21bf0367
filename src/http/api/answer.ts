import { SAMPLE_ORIGIN } from '../../../schemas/common.js'
import { isSuccess } from '../../../schemas/contract.js'
import { envelopeOf, sampleBody } from '../../../schemas/errors.js'
import { baseUrlOf } from '../base-url.js'
import type { Outgoing } from './outgoing.js'
import type { StepContext } from './step-context.js'

/** A declared answer: a 200's body as it is, an error's message in its envelope. */
export function declaredAnswer({ contract, world }: StepContext, status: number, body: unknown): Outgoing {
  const response = contract.responses[status]
  if (response === undefined || isSuccess(response)) return { status, body }
  return { status, body: envelopeOf(response, world.settings.readings.errorBody).body(status, body as string) }
}

/** The sample answer of a declared status; its links lead to this server, into the world that was called. */
export function sampleAnswer({ contract, world, request }: StepContext, status: number): Outgoing {
  const body = sampleBody(contract, status, world.settings.readings.errorBody)
  const text = JSON.stringify(body)
  if (!text.includes(SAMPLE_ORIGIN)) return { status, body }
  return { status, body: JSON.parse(text.replaceAll(SAMPLE_ORIGIN, baseUrlOf(request, world))) }
}
