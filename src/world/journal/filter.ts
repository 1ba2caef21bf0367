import { didYouMean, quote } from '../../text/wording.js'
import type { Exchange } from './exchange.js'

/** Which exchanges of a journal are wanted; what is left out does not matter. */
export interface JournalFilter {
  readonly operation?: string
  readonly status?: number
  /** Whether no operation matched. */
  readonly unmatched?: boolean
}

export function matching({ operation, status, unmatched }: JournalFilter): (exchange: Exchange) => boolean {
  return (exchange) =>
    (operation === undefined || exchange.contract?.id === operation) &&
    (status === undefined || exchange.status === status) &&
    (unmatched === undefined || (exchange.contract === null) === unmatched)
}

/** That no operation has a name. */
export function unknownOperation(name: string, ids: readonly string[]): string {
  return `There is no operation ${quote(name)}.${didYouMean(name, ids)} Operations: ${ids.join(', ')}.`
}
