import type { Observed } from '../../schemas/readings.js'

/** Which readings a provider showed, and when. */
export function observedSentence({ target, at, switches }: Observed): string {
  return `Observed at ${target} on ${at.slice(0, 10)}: ${switches.map((name) => `\`${name}\``).join(', ')}.`
}
