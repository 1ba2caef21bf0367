import type { ExchangeSummary } from '../../world/journal/summary.js'
import type { Address } from '../address.js'

/** What every view is given. */
export interface ViewProps {
  /** What follows the view's name in the address. */
  readonly address: Address
  /** The journal, newest first; undefined until it has been fetched. */
  readonly exchanges: readonly ExchangeSummary[] | undefined
}
