import type { Contract } from '../../../../schemas/contract.js'
import { knownReadings } from '../../../../schemas/variations.js'
import { seededDraws } from '../../../world/seeded.js'
import type { Outgoing } from '../outgoing.js'
import type { StepContext } from '../step-context.js'
import { extraFields } from './extra-fields.js'
import { keyOrder } from './key-order.js'
import { errorBody, status } from './readings.js'
import { timestamps } from './timestamps.js'
import type { Answer, Given, Variation } from './variation.js'
import { message, statusWord } from './words.js'

/** Every way in which answers vary, in the order in which they are applied: what is said first, how it is sent last. */
export const variations: readonly Variation[] = [
  status,
  errorBody,
  message,
  statusWord,
  timestamps,
  keyOrder,
  extraFields,
]

/** An answer that was varied, the contract that it fits, and in what it was: the value of `X-Mock-Varied`. */
export interface Varied {
  readonly outgoing: Outgoing
  readonly contract: Contract
  readonly names: string
}

/** Whether an answer varies: one that the mock has made, where option or preference ask for it. */
export function varies({ world, preferences }: StepContext, { said }: Outgoing): boolean {
  return (world.settings.vary || preferences?.vary === true) && said !== undefined
}

/**
 * Varies an answer where the document leaves it open. What is drawn follows from the world's seed and from the number of
 * the exchange in its world alone, so that ids and chance stay what they are without it.
 */
export function vary(context: StepContext, outgoing: Outgoing): Varied {
  const { contract, documentedContract, readings, world, exchange, preferences } = context
  const { seed, chosen } = world.settings
  const { status, body, said, asked = false } = outgoing
  const given: Given = {
    documentedContract,
    readings,
    known: knownReadings(readings, chosen),
    statusAsked: asked || preferences?.expect !== undefined,
  }
  let answer: Answer = { contract, status, said, body }
  const names: string[] = []
  for (const { name, change } of variations) {
    const draw = seededDraws(seed, 'vary', exchange.id, name)
    const changed = draw() < SHARE ? change(answer, draw, given) : undefined
    if (changed === undefined) continue
    const { to, ...others } = changed
    answer = { ...answer, ...others }
    names.push(to === undefined ? name : `${name}=${to}`)
  }
  return {
    outgoing: { ...outgoing, status: answer.status, body: answer.body },
    contract: answer.contract,
    names: names.join(', ') || 'none',
  }
}

/** How many of the answers that can vary in one way do. */
const SHARE = 0.5
