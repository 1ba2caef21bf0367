import type { Contract, Provenance } from '../../schemas/contract.js'
import type { Observed } from '../../schemas/readings.js'

/** The provenances that occur in some contracts; `observed` occurs only with learned readings. */
export function provenancesOf(contracts: readonly Contract[]): Provenance[] {
  const all = Object.keys(provenanceSentences) as Provenance[]
  const observed = contracts.some(({ responses }) =>
    Object.values(responses).some((one) => one.provenance === 'observed'),
  )
  return all.filter((one) => one !== 'observed' || observed)
}

/** What each provenance means. */
export const provenanceSentences: { readonly [P in Provenance]: string } = {
  shown: 'The API document shows the keys and types of this body, but nothing more.',
  bodyNotShown: 'The API document lists this response but does not show its body.',
  assumed: 'The API document does not name this status; it is our reading.',
  observed: 'The API document does not show this, but a real deployment did.',
}

/** Which readings a provider showed, and when. */
export function observedSentence({ target, at, switches }: Observed): string {
  return `Observed at ${target} on ${at.slice(0, 10)}: ${switches.map((name) => `\`${name}\``).join(', ')}.`
}
