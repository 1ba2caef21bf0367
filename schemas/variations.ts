import { type Contract, isSuccess, type Response } from './contract.js'
import { contractsUnder, contractUnder } from './contracts-under.js'
import { FLAT } from './errors.js'
import { deepFreeze } from './freeze.js'
import type { SwitchName } from './interpretations.js'
import { perObject } from './per-object.js'
import { defaultReadings, errorsAreOpen, isByOperation, type Readings, statusIsOpen } from './readings.js'
import type { Template } from './template.js'

/** The success status that `--vary` draws where the document leaves it open (I-01). */
export const OTHER_SUCCESS = { successStatus: 201 } as const satisfies Partial<Readings>

/** The error bodies that `--vary` draws where the document shows none (I-02), by the names that answers call them. */
export const OTHER_ERROR_BODIES = deepFreeze({
  flat: { errorBody: 'flat' },
  message: { errorBody: { message: '{message}' } },
  text: { errorBody: { error: '{message}' } },
  code: { errorBody: { code: '{status}', message: '{message}' } },
  list: { errorBody: { errors: [{ message: '{message}' }] } },
  problem: { errorBody: { type: 'about:blank', title: 'Error', status: '{status}', detail: '{message}' } },
} as const satisfies Readonly<Record<string, Partial<Readings>>>)

const changed = perObject((readings: Readings) =>
  perObject((change: Partial<Readings>): Readings => ({ ...readings, ...change })),
)

/** A contract under some readings of which one was drawn otherwise; made once for each pair of them. */
export function contractVaried(contract: Contract, readings: Readings, change: Partial<Readings>): Contract {
  return contractUnder(contract, changed(readings)(change))
}

/** What users know of their service: the readings that they set, and those that are not as by default. */
export function knownReadings(readings: Readings, chosen: Partial<Readings>): Partial<Readings> {
  const known = Object.entries(readings).filter(
    ([name, value]) => name in chosen || value !== defaultReadings[name as SwitchName],
  )
  return Object.fromEntries(known)
}

/** Whether users know with which status an operation succeeds. */
export function knowsStatus({ successStatus: known }: Partial<Readings>, operation: string): boolean {
  return typeof known === 'object' ? operation in known : known !== undefined
}

/** Whether users know what the errors of an operation look like. */
export function knowsErrorBody({ errorBody: known }: Partial<Readings>, operation: string): boolean {
  return typeof known === 'object' && isByOperation(known) ? operation in known : known !== undefined
}

/** Whether users know the value of a word in the success body of an operation. */
export function knowsWord({ successWords }: Partial<Readings>, operation: string, word: string): boolean {
  const words = (successWords ?? {}) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>
  return words[operation]?.[word] !== undefined
}

/** What decides which answers there are. */
interface Served {
  readonly readings: Readings
  readonly chosen: Partial<Readings>
  readonly vary: boolean
}

/** Contracts as they describe every answer of a server, for tools that check them. */
export function contractsServed(
  contracts: readonly Contract[],
  { readings, chosen, vary }: Served,
): readonly Contract[] {
  const under = contractsUnder(contracts, readings)
  const known = knownReadings(readings, chosen)
  return vary ? under.map((one, at) => varying(contracts[at] as Contract, one, known)) : under
}

/** With the other statuses and error bodies that are drawn. */
function varying(contract: Contract, under: Contract, known: Partial<Readings>): Contract {
  const entries = Object.entries<Response>(under.responses)
  const success = under.responses[200]
  if (success !== undefined && statusIsOpen(contract) && !knowsStatus(known, contract.id)) {
    entries.push([String(OTHER_SUCCESS.successStatus), success])
  }
  const open = errorsAreOpen(contract) && !knowsErrorBody(known, contract.id)
  const responses = entries.map(([status, response]) => [
    status,
    isSuccess(response) || !open ? response : { ...response, alternatives: ERROR_TEMPLATES },
  ])
  return deepFreeze({ ...under, responses: Object.fromEntries(responses) })
}

const ERROR_TEMPLATES: readonly Template[] = Object.values(OTHER_ERROR_BODIES).map(({ errorBody }) =>
  errorBody === 'flat' ? FLAT : errorBody,
)
