import { bodySchema } from '../../../schemas/bodies.js'
import type { Contract } from '../../../schemas/contract.js'
import { isGatewayStatus } from '../../../schemas/gateway.js'
import { checkBody } from '../../validation/deviations.js'
import type { Deviation } from '../../validation/violation.js'
import type { Outgoing } from './outgoing.js'
import type { Varied } from './vary/vary.js'

/** A body as it is sent, and how it departs from its contract. */
interface Serialized {
  /** The contract that it was compared with, where it is kept. */
  readonly contract?: Contract
  readonly text: string
  /** The text in bytes, where it is kept: encoding it is most of the work of sending it. */
  readonly bytes?: Buffer
  readonly deviations: readonly Deviation[]
}

const serialized = new WeakMap<object, Serialized>()
const NONE: readonly Deviation[] = Object.freeze([])

/** A frozen body never changes: it is checked and serialized once, however often it is sent (docs/decisions/004). */
export function serialize(contract: Contract, outgoing: Outgoing): Serialized {
  const { body, headers } = outgoing
  if (typeof body === 'string' && Object.keys(headers ?? {}).some(isContentType)) {
    return { text: body, deviations: deviationsOf(contract, outgoing) }
  }
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) {
    return { text: JSON.stringify(body), deviations: deviationsOf(contract, outgoing) }
  }
  let known = serialized.get(body)
  if (known?.contract !== contract) {
    const text = JSON.stringify(body)
    known = { contract, text, bytes: Buffer.from(text), deviations: deviationsOf(contract, outgoing) }
    serialized.set(body, known)
  }
  return known
}

/** A varied body is checked against the contract that was drawn for it, and is never sent again. */
export function serializeVaried({ contract, status, body, write }: Varied, outgoing: Outgoing): Serialized {
  return { text: write(body), deviations: deviationsOf(contract, { ...outgoing, status, body }) }
}

function isContentType(name: string): boolean {
  return name.toLowerCase() === 'content-type'
}

/** What a gateway answers is not the operation's, and departs from nothing. */
function deviationsOf(contract: Contract, { status, body, offContract = false }: Outgoing) {
  if (isGatewayStatus(contract, status)) return NONE
  return checkBody(contract, status, bodySchema(contract, status), body, offContract)
}
