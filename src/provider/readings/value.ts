import type { Contract } from '../../../schemas/contract.js'
import { contracts } from '../../../schemas/contracts.js'
import type { SwitchName } from '../../../schemas/interpretations.js'
import { errorsAreOpen, MISSING_USER_TYPE, statusIsOpen } from '../../../schemas/readings.js'
import type { Evidence } from './lesson.js'

type Shown = Pick<Evidence, 'operation' | 'value'>

const documented: readonly Contract[] = contracts

/** The value that a switch has to have for what was shown; undefined where no one value says it. */
export function valueFrom(name: SwitchName, shown: readonly Shown[]): unknown {
  if (shown.length === 0) return undefined
  const fits = BY_OPERATION[name]
  if (fits !== undefined) return forAllOrEach(shown, documented.filter(fits).length)
  if (name === 'missingUserType' && isUsual(shown)) return undefined
  const [value, ...others] = distinct(shown)
  if (others.length > 0) return undefined
  return name === 'missingUserType' && !(MISSING_USER_TYPE as readonly unknown[]).includes(value) ? undefined : value
}

/** The switches that may have a value for each operation, and the operations that they are about. */
const BY_OPERATION: Partial<Record<SwitchName, (contract: Contract) => boolean>> = {
  successStatus: statusIsOpen,
  errorBody: errorsAreOpen,
  // These have no value for all.
  successWords: () => true,
}

/** Whether each operation answers a missing user type as it answers all that is invalid: that is no value, but the default. */
export function isUsual(shown: readonly Shown[]): boolean {
  return shown.every(({ operation, value }) => documented.find(({ id }) => id === operation)?.invalid === value)
}

function distinct(shown: readonly Shown[]): unknown[] {
  return [...new Map(shown.map(({ value }) => [JSON.stringify(value), value])).values()]
}

/** One value where all operations showed the same, else one for each that showed one. */
function forAllOrEach(shown: readonly Shown[], all: number): unknown {
  const [value, ...others] = distinct(shown)
  if (others.length === 0 && shown.length === all) return value
  return Object.fromEntries(shown.map(({ operation, value }) => [operation, value]))
}
