import { textOf } from '../../../schemas/cites.js'
import type { Mutant } from './mutant.js'

/** The statements that a mutant breaks, in the document's words. */
export function rulesOf({ cites }: Pick<Mutant, 'cites'>): readonly string[] {
  return cites.map((cite) => `${cite}: ${textOf(cite)}`)
}
