import { knownReadings } from '../../../../schemas/variations.js'
import { seededDraws } from '../../../world/seeded.js'
import type { Outgoing } from '../outgoing.js'
import type { StepContext } from '../step-context.js'
import type { Answer, Given } from './variation.js'
import { variations } from './variations.js'

/** An answer that was varied, and in what: the value of `X-Mock-Varied`. */
export interface Varied extends Answer {
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
export function vary(context: StepContext, outgoing: Outgoing, contentType: string): Varied {
  const { request, contract, written, readings, world, exchange, preferences } = context
  const { seed, chosen } = world.settings
  const { status, body, said, asked = false } = outgoing
  const given: Given = {
    written,
    readings,
    known: knownReadings(readings, chosen),
    statusAsked: asked || preferences?.expect !== undefined,
    takesChunks: request.raw.httpVersion !== '1.0',
    typeNamed: Object.keys(outgoing.headers ?? {}).some((name) => name.toLowerCase() === 'content-type'),
  }
  let answer: Answer = { contract, status, said, body, write: JSON.stringify, contentType, headerName, chunked: false }
  const names: string[] = []
  for (const { name, change } of variations) {
    const draw = seededDraws(seed, 'vary', exchange.id, name)
    const changed = draw() < SHARE ? change(answer, draw, given) : undefined
    if (changed === undefined) continue
    const { to, ...others } = changed
    answer = { ...answer, ...others }
    names.push(to === undefined ? name : `${name}=${to}`)
  }
  return { ...answer, names: names.join(', ') || 'none' }
}

/** How many of the answers that can vary in one way do. */
const SHARE = 0.5

const headerName = (name: string) => name
