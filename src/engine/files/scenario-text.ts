import { mapInBatches } from '../contract/map-in-batches.js'
import type { Rule } from './scenario.js'

export async function scenarioText(description: string, rules: readonly Rule[]): Promise<string> {
  const { stringify } = await import('./yaml.js')
  const tidy = rules.map(({ on, ...rule }) => ({ on: Array.isArray(on) && on.length === 1 ? on[0] : on, ...rule }))
  const head = stringify({ version: 1, ...(description !== '' && { description }) }, { lineWidth: 0 })
  if (tidy.length === 0) return `${head}rules: []\n`
  const texts = await mapInBatches(tidy, (rule) =>
    stringify([rule], { lineWidth: 0 }).replace(/(?<=^|\n)(?=[^\n])/g, '  '),
  )
  return `${head}rules:\n${texts.join('')}`
}
